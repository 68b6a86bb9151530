import type { InterfaceModel } from "../interface-model.ts";
import type { Customization } from "../kit/customizing/customization.ts";
import type { Settings } from "../kit/descriptor.ts";
import { kitSources } from "../kit-sources.ts";
import { customizationsText } from "./customizations.ts";
import { constant, descriptorText, entry, entryOf, heading, MANY_RESOURCES, maker } from "./descriptors.ts";
import { identifiers } from "./identifiers.ts";
import { type KitModule, kitModule, type PackageImports } from "./kit-module.ts";
import { mainResources } from "./main-resources.ts";
import { template } from "./quoted.ts";
import { sharedParts } from "./shared-parts.ts";

let prepared: KitModule | undefined;

/** The same for every interface. */
function theKit(): KitModule {
  prepared ??= kitModule(kitSources);
  return prepared;
}

/** An interface as one module that needs nothing but React: what changes from one to the next first, the kit after it. */
export function emitModule(model: InterfaceModel, settings: Settings, customizations: Customization[] = []): string {
  const kit = theKit();
  const { resources } = model;
  const taken = new Set([...kit.names, ...ownNames]);
  const names = identifiers(
    resources.map(({ id }) => id),
    taken,
  );
  const name = (id: string) => names.get(id) ?? id;
  const shared = sharedParts(model, new Set([...taken, ...names.values()]));
  const isMany = resources.length > MANY_RESOURCES;
  const descriptors = resources.map((resource) => {
    const { value } = shared.inTermsOf(resource);
    return isMany ? maker(name(resource.id), value) : constant(name(resource.id), "Resource", value, false);
  });
  const main = mainResources(resources);
  const entries = resources.map((one) =>
    isMany ? entry(one, main.has(one.id), name(one.id)) : entryOf(name(one.id), main.has(one.id)),
  );
  return [
    `${heading(model)}// The descriptors come first: they say what the API has. The screens that show it follow.\n`,
    kit.imports.map(importLine).join(""),
    ...shared.constants.map(({ name, type, value }) => constant(name, type, value, false)),
    descriptors.join("\n"),
    constant("apiDescriptor", "ApiDescriptor", shared.inTermsOf(model.api).value, false),
    descriptorText("interfaceDescriptor", entries, settings, false),
    customizationsText(customizations),
    app,
    kit.body,
    `const interfaceStyles = ${template(kitSources["styles.css"] ?? "")};\n`,
  ].join("\n");
}

const ownNames = ["apiDescriptor", "interfaceDescriptor", "customizations", "interfaceStyles", "App"];

const app = `export default function App(host: Omit<WorkspaceOptions, "descriptor">) {
  return (
    <>
      <style>{interfaceStyles}</style>
      <Interface descriptor={interfaceDescriptor} customizations={customizations} {...host} />
    </>
  );
}
`;

export function importLine({ from, values, types }: PackageImports): string {
  const all = [...values, ...types.map((name) => `type ${name}`)];
  if (all.length === 0) return "";
  const word = values.length === 0 ? "import type" : "import";
  const names = values.length === 0 ? types : all;
  const line = `${word} { ${names.join(", ")} } from "${from}";\n`;
  // Prettier leaves a single name where it is.
  return names.length === 1 || line.length <= 101
    ? line
    : `${word} {\n${names.map((name) => `  ${name},\n`).join("")}} from "${from}";\n`;
}
