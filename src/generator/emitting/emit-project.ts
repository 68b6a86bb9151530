import type { InterfaceModel } from "../interface-model.ts";
import type { Customization } from "../kit/customizing/customization.ts";
import type { Resource, Settings } from "../kit/descriptor.ts";
import { kitSources } from "../kit-sources.ts";
import { customizationsText } from "./customizations.ts";
import { constant, descriptorText, entry, entryOf, heading, MANY_RESOURCES } from "./descriptors.ts";
import { importLine } from "./emit-module.ts";
import { fileNames, identifiers } from "./identifiers.ts";
import { mainResources } from "./main-resources.ts";
import { projectFrame } from "./project-frame.ts";
import { projectReadme } from "./project-readme.ts";
import { quoted } from "./quoted.ts";
import { resourcesTest } from "./resources-test.ts";
import { type SharedParts, sharedParts } from "./shared-parts.ts";

/** Paths in the project, with "/" between their parts, and texts. */
export type ProjectFiles = Record<string, string>;

/** An interface as a Vite project: the kit as it is, one descriptor per resource, and what a project needs around them. */
export function emitProject(
  model: InterfaceModel,
  settings: Settings,
  customizations: Customization[] = [],
): ProjectFiles {
  const ids = model.resources.map(({ id }) => id);
  const code = identifiers(ids, new Set(["apiDescriptor", "interfaceDescriptor"]));
  const names: Names = { code, file: fileNames(ids) };
  const shared = sharedParts(model, new Set([...code.values(), "apiDescriptor"]));
  return {
    ...projectFrame(model.api),
    "README.md": projectReadme(model, names.file),
    "inferences.json": `${JSON.stringify(model.inferences, null, 2)}\n`,
    ...kitFiles(),
    "src/customizations.ts": customizationsFile(customizations),
    "src/resources/api.ts": `${heading(model)}${descriptorFile("apiDescriptor", "ApiDescriptor", shared.inTermsOf(model.api))}`,
    "src/resources/index.ts": indexFile(model, settings, names),
    "src/resources/resources.test.ts": resourcesTest(model),
    ...sharedFile(shared),
    ...Object.fromEntries(model.resources.map((resource) => resourceFile(resource, names, shared))),
  };
}

interface Names {
  code: Map<string, string>;
  file: Map<string, string>;
}

const kitFiles = () => Object.fromEntries(Object.entries(kitSources).map(([path, text]) => [`src/${path}`, text]));

const customizationsFile = (customizations: Customization[]) =>
  `${importLine({ from: "./customizing/customization.ts", values: [], types: ["Customization"] })}
// What is wanted otherwise than it was generated. It holds also for what is generated anew.
${customizationsText(customizations, true)}`;

function sharedFile({ constants }: SharedParts): ProjectFiles {
  if (constants.length === 0) return {};
  const texts = constants.map(({ name, type, value }) => constant(name, type, value, true));
  const types = [...new Set(constants.map(({ type }) => type.replace("[]", "")))].sort();
  const imports = importLine({ from: "../descriptor.ts", values: [], types });
  return { "src/resources/shared.ts": `${imports}\n${texts.join("\n")}` };
}

function resourceFile(resource: Resource, names: Names, shared: SharedParts): [string, string] {
  const text = descriptorFile(names.code.get(resource.id) ?? "", "Resource", shared.inTermsOf(resource));
  return [`src/resources/${names.file.get(resource.id)}.ts`, text];
}

function descriptorFile(name: string, type: string, { value, uses }: ReturnType<SharedParts["inTermsOf"]>): string {
  const imports = [
    importLine({ from: "../descriptor.ts", values: [], types: [type] }),
    importLine({ from: "./shared.ts", values: uses, types: [] }),
  ];
  return `${imports.join("")}\n${constant(name, type, value, true)}`;
}

function indexFile({ resources }: InterfaceModel, settings: Settings, names: Names): string {
  const isMany = resources.length > MANY_RESOURCES;
  const lines = resources.map(({ id }) => ({ name: names.code.get(id) ?? "", from: `./${names.file.get(id)}.ts` }));
  const imports = [
    'import type { InterfaceDescriptor } from "../descriptor.ts";\n',
    'import { apiDescriptor } from "./api.ts";\n',
    ...(isMany ? [] : lines.map(({ name, from }) => `import { ${name} } from "${from}";\n`)),
  ];
  const main = mainResources(resources);
  const entries = resources.map((resource, at) => {
    const { name = "", from = "" } = lines[at] ?? {};
    return isMany ? entry(resource, main.has(resource.id), lazily(name, from)) : entryOf(name, main.has(resource.id));
  });
  return `${imports.join("")}\n${descriptorText("interfaceDescriptor", entries, settings, true)}`;
}

/** As Prettier breaks it, where it is too long for a line. */
function lazily(name: string, from: string): string {
  const imported = `import(${quoted(from)})`;
  const taken = `(module) => module.${name}`;
  const line = `${imported}.then(${taken})`;
  if ("      load: () => ,".length + line.length <= 100) return `() => ${line}`;
  if ("        ,".length + line.length <= 100) return `() =>\n        ${line}`;
  const fits = "          ,".length + taken.length <= 100;
  return `() =>\n        ${imported}.then(\n          ${fits ? taken : taken.replace("=> ", "=>\n            ")},\n        )`;
}
