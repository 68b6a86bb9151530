import type { Resource } from "../kit/descriptor.ts";
import { kitSources } from "../kit-sources.ts";
import { stems } from "./nearness.ts";
import type { SeenInterface } from "./vocabulary.ts";

// What a model has to see of an interface to change it: what the request is about, and not the rest.

const MOST_RESOURCES = 12;
const MOST_FIELDS = 40;
const MOST_CODE = 40_000;
const MOST_STYLES = 8_000;

/** What a wish can say, as code. */
export const wishesAsCode = () => kitSources["customizing/customization.ts"] ?? "";

/** The parts of an interface, those that are named in the request first and in full. */
export function outlineFor({ api, resources }: SeenInterface, request: string): string {
  const said = new Set(stems(request));
  const score = ({ id, name, plural, fields }: Resource) =>
    3 * [id, name, plural].flatMap(stems).filter((word) => said.has(word)).length +
    fields.flatMap(({ name: field, label }) => [...stems(field), ...stems(label)]).filter((word) => said.has(word))
      .length;
  const ranked = [...resources].sort((one, other) => score(other) - score(one));
  const shown = ranked.slice(0, MOST_RESOURCES);
  const others = ranked.slice(MOST_RESOURCES).map(({ id }) => id);
  return [
    `API: ${api.title} ${api.version}`,
    ...(api.summaries.length > 0
      ? [`figures: ${api.summaries.map(({ id, label }) => `${id} (${label})`).join(", ")}`]
      : []),
    ...shown.map(outlineOf),
    ...(others.length > 0 ? [`further resources: ${others.join(", ").slice(0, 4000)}`] : []),
  ].join("\n");
}

function outlineOf(resource: Resource): string {
  const { id, name, plural, fields, columns, lists, actions } = resource;
  const can = [
    lists.length > 0 && "list",
    ...(["detail", "create", "update", "remove"] as const).map((one) => resource[one] && one),
  ];
  const described = fields.slice(0, MOST_FIELDS).map(({ name: field, label, kind, options }) => {
    const values = options
      ? `: ${options
          .slice(0, 20)
          .map(({ value }) => JSON.stringify(value))
          .join(" | ")}`
      : "";
    return `${field} (${label}, ${kind}${values})`;
  });
  return [
    `resource ${id}: ${name} / ${plural}; can ${can.filter(Boolean).join(", ") || "nothing but actions"}`,
    `  fields: ${described.join("; ")}`,
    `  columns: ${columns.join(", ")}`,
    ...(actions.length > 0
      ? [
          `  actions: ${actions
            .slice(0, 20)
            .map((one) => `${one.id} (${one.label})`)
            .join("; ")}`,
        ]
      : []),
  ].join("\n");
}

interface Section {
  path: string;
  text: string;
}

const sectionStart = /^\/\/ ((?:api|ui|pages|customizing)\/[\w/.-]+\.tsx?|descriptor\.ts|interface\.tsx)$/gm;

/** The parts of the code that a request is about most likely, each under the name of its file. */
export function codeFor(code: string, request: string): string {
  const said = new Set(stems(request));
  const sections = sectionsOf(code).filter(({ path }) => !path.startsWith("api/mock-"));
  const chosen: Section[] = [];
  let length = 0;
  for (const { section } of ranked(sections, said)) {
    if (length + section.text.length > MOST_CODE) continue;
    chosen.push(section);
    length += section.text.length;
  }
  const styles = stylesFor(code, [
    ...said,
    ...chosen.slice(0, 3).flatMap(({ path }) => stems(path.split("/").at(-1) ?? "")),
  ]);
  return [...chosen.map(({ path, text }) => `// ${path}\n${text.trim()}`), `/* styles.css, parts */\n${styles}`].join(
    "\n\n",
  );
}

function sectionsOf(code: string): Section[] {
  const marks = [...code.matchAll(sectionStart)];
  return marks.map((mark, at) => ({
    path: mark[1] ?? "",
    text:
      code
        .slice((mark.index ?? 0) + mark[0].length, marks[at + 1]?.index ?? code.length)
        .split("\nconst interfaceStyles = ")[0] ?? "",
  }));
}

/** A word in the name of a file says more than many in its text, and one that is in every file says nothing. */
function ranked(sections: Section[], said: Set<string>): { section: Section; score: number }[] {
  const words = sections.map(({ text }) => new Set(stems(text.slice(0, 20_000).replace(/\W+/g, " ").slice(0, 20_000))));
  const rarity = (word: string) => Math.log(1 + sections.length / (1 + words.filter((some) => some.has(word)).length));
  return sections
    .map((section, at) => {
      const inName = stems(section.path.replace(/\.\w+$/, "")).filter((word) => said.has(word)).length;
      const inText = [...said].filter((word) => words[at]?.has(word)).reduce((sum, word) => sum + rarity(word), 0);
      return { section, score: 6 * inName + inText };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
}

function stylesFor(code: string, words: string[]): string {
  const css = code.slice(Math.max(0, code.indexOf("\nconst interfaceStyles = ")));
  const blocks = css.split(/\n(?=[^\s}][^\n]*\{)/);
  const [first = ""] = blocks;
  const meant = blocks.slice(1).filter((block) => words.some((word) => (block.split("{")[0] ?? "").includes(word)));
  return [first, ...meant].join("\n").slice(0, MOST_STYLES);
}
