import { CORE_SCHEMA, loadAll, Type, YAMLException } from "js-yaml";
import { aliasProblem } from "./alias-bounds.ts";
import { parseLenientYaml } from "./lenient-yaml.ts";
import { specInvalid, type Warnings } from "./warnings.ts";

/** Dates stay the text that they are; merge keys work. */
const merge = new Type("tag:yaml.org,2002:merge", { kind: "scalar", resolve: (key) => key === "<<" });
const schema = CORE_SCHEMA.extend({ implicit: [merge] });
/** The lenient parser takes its time: up to ten seconds for a megabyte that was made for that. */
const longestSecondTry = 250_000;

interface Attempt {
  value?: unknown;
  failure?: { place: string; reason: string };
}

/** A value from JSON or YAML, whichever it is. `label` stands before the places. */
export function parseText(text: string, label: string, warnings: Warnings): unknown {
  const json = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  if (json && !json.failure) return json.value;
  const yaml = parseYaml(text, label, warnings, json === undefined);
  if (yaml.failure) {
    const { place, reason } = json?.failure?.place ? json.failure : yaml.failure;
    throw specInvalid(`${label}${place}`, `This is no valid ${json ? "JSON" : "YAML"}: ${reason}`);
  }
  const problem = text.includes("*") ? aliasProblem(yaml.value) : undefined;
  if (problem) throw specInvalid(`${label}${problem.pointer}`, problem.message);
  if (json?.failure)
    warnings.add(`${label}${json.failure.place || "/"}`, `This is no strict JSON: ${json.failure.reason}`);
  return yaml.value;
}

function parseJson(text: string): Attempt {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const reason = (error as Error).message;
    const position =
      /at position (\d+)/.exec(reason)?.[1] ?? (reason.includes("end of JSON") ? text.length : undefined);
    const place = position === undefined ? "" : placeAt(text, Number(position));
    return { failure: { place, reason: reason.replace(/ in JSON at position.*/s, "") } };
  }
}

function parseYaml(text: string, label: string, warnings: Warnings, tryAll: boolean): Attempt {
  const first = load(text, false);
  if (!first.failure) return onlyDocument(first, label, warnings);
  const place = `${label}${first.failure.place}`;
  if (first.failure.reason.startsWith("duplicated mapping key")) {
    warnings.add(place, "This key is there twice; the last one counts");
    return onlyDocument(load(text, true), label, warnings);
  }
  const isBomb = first.failure.reason.includes("exceeded");
  const isTabbed = first.failure.reason.startsWith("tab characters");
  const maySucceed = tryAll && !isBomb && !isTabbed && text.length <= longestSecondTry;
  const second = maySucceed ? secondTry(text) : first;
  if (!second.failure) return onlyDocument(second, label, warnings);
  if (isBomb || !/^ *\t/m.test(text)) return first;
  warnings.add(place, "Lines are indented by tabs, which YAML does not allow; each is taken as two spaces");
  return onlyDocument(load(withoutTabs(text), true), label, warnings);
}

function withoutTabs(text: string): string {
  return text.replace(/^[ \t]+/gm, (indent) => indent.replaceAll("\t", "  "));
}

function load(text: string, lastKeyWins: boolean): Attempt {
  try {
    return { value: loadAll(text, undefined, { schema, json: lastKeyWins }) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

function failureOf(error: unknown): { place: string; reason: string } {
  if (error instanceof YAMLException) {
    return { place: `line ${error.mark.line + 1}, column ${error.mark.column + 1}`, reason: error.reason };
  }
  return { place: "line 1, column 1", reason: error instanceof RangeError ? "it is nested too deeply" : String(error) };
}

/** Real descriptions have passed with tools that are more lenient. */
function secondTry(text: string): Attempt {
  try {
    const result = parseLenientYaml(text);
    if ("documents" in result) return { value: result.documents };
    return { failure: { place: placeAt(text, result.position), reason: result.reason } };
  } catch (error) {
    return { failure: failureOf(error) }; // an alias without an anchor, or too many
  }
}

function onlyDocument(attempt: Attempt, label: string, warnings: Warnings): Attempt {
  if (!Array.isArray(attempt.value)) return attempt;
  const documents = attempt.value.filter((document) => document !== null && document !== undefined);
  if (documents.length > 1)
    warnings.add(`${label}/`, `The file has ${documents.length} YAML documents; the first is read`);
  return { value: documents[0] };
}

function placeAt(text: string, position: number): string {
  const before = text.slice(0, position);
  const line = before.split("\n").length;
  return `line ${line}, column ${position - before.lastIndexOf("\n")}`;
}
