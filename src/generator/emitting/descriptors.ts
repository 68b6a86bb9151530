import type { InterfaceModel } from "../interface-model.ts";
import type { Resource, Settings } from "../kit/descriptor.ts";
import { assigned, type LiteralValue, literal, property } from "./literal.ts";
import { WIDTH } from "./text-width.ts";

// The descriptors of an interface as code.

/** From this many on they are made when they are first looked at. */
export const MANY_RESOURCES = 40;

export function constant(name: string, type: string, value: object | LiteralValue, exported: boolean): string {
  const before = `${exported ? "export " : ""}const ${name}: ${type} =`;
  return `${before}${assigned(value as LiteralValue, 0, before.length)};\n`;
}

/** A descriptor that is made when it is asked for. */
export function maker(name: string, resource: LiteralValue): string {
  return `function ${name}(): Resource {\n  return ${literal(resource, 1, "  return ".length)};\n}\n`;
}

/** What the navigation knows of a resource whose descriptor is at hand: whatever that says. */
export function entryOf(name: string, isMain: boolean): string {
  const line = `    { ...${name}, ${isMain ? "main: true, " : ""}load: () => ${name} },`;
  if (line.length <= WIDTH) return `${line}\n`;
  const fits = `      load: () => ${name},`.length <= WIDTH;
  const load = fits ? `() => ${name}` : `() =>\n        ${name}`;
  return `    {\n      ...${name},\n${isMain ? "      main: true,\n" : ""}      load: ${load},\n    },\n`;
}

/** What the navigation knows of a resource whose descriptor is made later. */
export function entry(resource: Resource, isMain: boolean, load: string): string {
  const { id, name, plural, group } = resource;
  const parts = Object.entries({ id, name, plural, group }).filter(([, value]) => value !== undefined);
  const lines = parts.map((part) => property(part, 3));
  return `    {\n${lines.join("")}${isMain ? "      main: true,\n" : ""}      load: ${load},\n    },\n`;
}

export function descriptorText(name: string, entries: string[], settings: Settings, exported: boolean): string {
  const last = literal(settings as unknown as LiteralValue, 1, "  settings: ".length);
  const before = `${exported ? "export " : ""}const ${name}: InterfaceDescriptor = `;
  return `${before}{\n  api: apiDescriptor,\n${resourcesText(entries)}\n  settings: ${last},\n};\n`;
}

/** One alone stays on the line of its list where it fits. */
function resourcesText(entries: string[]): string {
  const line = `  resources: [${entries.join("").trim().replace(/,$/, "")}],`;
  const isLine = entries.length < 2 && !line.includes("\n") && line.length <= WIDTH;
  return isLine ? line : `  resources: [\n${entries.join("")}  ],`;
}

/** What a reader is told first. A title can hold anything: it is kept on its line, and says nothing that a compiler would obey. */
export function heading({ api }: InterfaceModel): string {
  const title = `${api.title} ${api.version}`.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}@#]+/gu, " ").trim();
  return title === "" ? "" : `// ${title}\n`;
}
