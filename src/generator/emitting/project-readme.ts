import type { Inference, InterfaceModel } from "../interface-model.ts";
import type { Resource } from "../kit/descriptor.ts";

const UNSURE = 0.7;
const MOST_UNSURE = 20;

/** What a person reads first who goes on with the project. */
export function projectReadme(model: InterfaceModel, files: Map<string, string>): string {
  const { api, resources } = model;
  return `# ${onALine(api.title)}

An interface for version ${onALine(api.version)} of the API, with ${counted(resources.length, "resource")}.

\`\`\`sh
npm install
npm run dev      # on sample data that is made from the description
npm test
npm run build
\`\`\`

It starts on sample data and asks nothing of a network. **Sample data** in the corner opens a dialog that takes the
address of the API and your credentials, which stay in the memory of the page${
    api.servers.length > 0 ? `. The description names ${api.servers.map(asCode).join(", ")}` : ""
  }.

## Where things are

| | |
|---|---|
| \`src/customizations.ts\` | what is wanted otherwise than it was generated: names, columns, views, formats, colours. It holds also when the descriptors are generated anew; \`src/customizing/customization.ts\` says what there is |
| \`src/resources/\` | what the API has: one descriptor per resource. Change labels, columns, fields and operations here |
| \`src/descriptor.ts\` | what a descriptor can say |
| \`src/api/\` | requests, credentials, validation, sample data |
| \`src/pages/\`, \`src/ui/\` | the screens and what they are built from; they know no resource by name |
| \`src/styles.css\` | colours, spacing and type, as custom properties at the top; light and dark |
| \`inferences.json\` | what was concluded from the description, how sure that is, and why |

## Resources

${resources.length === 0 ? "The description has none; its operations are under Actions.\n" : table(resources, files)}
## Worth a look

${unsure(model.inferences)}
`;
}

function table(resources: Resource[], files: Map<string, string>): string {
  const rows = resources.map((one) => {
    const can = abilities(one).join(", ");
    return `| ${onALine(one.plural)} | ${can || "actions"} | \`src/resources/${files.get(one.id)}.ts\` |\n`;
  });
  return `| resource | can | descriptor |\n|---|---|---|\n${rows.join("")}`;
}

const abilities = ({ lists, detail, create, update, remove, actions }: Resource) => [
  ...(lists.length > 0 ? ["list"] : []),
  ...(detail ? ["show"] : []),
  ...(create ? ["create"] : []),
  ...(update ? ["edit"] : []),
  ...(remove ? ["delete"] : []),
  ...(actions.length > 0 ? [counted(actions.length, "action")] : []),
];

function unsure(inferences: Inference[]): string {
  const found = inferences.filter(({ confidence }) => confidence < UNSURE).sort((a, b) => a.confidence - b.confidence);
  if (found.length === 0) return "Everything was clear from the description.";
  const lines = found
    .slice(0, MOST_UNSURE)
    .map(({ about, value, because }) => `- ${asCode(about)} is ${asCode(JSON.stringify(value))}: ${onALine(because)}`);
  const more = found.length > MOST_UNSURE ? [`- and ${found.length - MOST_UNSURE} more in \`inferences.json\``] : [];
  return `These were guessed. Correct one by its name: \`dragoman generate … --correct '<name>=<value>'\`.\n\n${[...lines, ...more].join("\n")}`;
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** Text of a description can hold anything; here it is neither a line of its own nor a part of the table or the markup. */
const onALine = (text: string) =>
  text
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, 200)
    .replace(/[\\`*_[\]<>|#]/g, "\\$&");

const asCode = (text: string) =>
  `\`${text
    .replace(/[\s`|]+/g, " ")
    .trim()
    .slice(0, 200)}\``;
