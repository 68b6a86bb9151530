import type { Analysis, Fault, FaultKind } from "../analyze/index.ts";
import type { Read } from "./feature-files.ts";

/** What is wrong with the plan and the tasks, in words: what is wrong with the specification itself is not their fault. */
export function faultsIn({ findings }: Pick<Analysis, "findings">): string[] {
  return findings
    .filter((fault) => fault.severity !== "note" && !isOfSpec(fault))
    .map(({ message, place }) => `${message} (${place.document}.md:${place.line})`);
}

/** What no task covers stands in the specification, and is missing in the tasks. */
const isOfSpec = ({ kind, place }: Fault) => place.document === "spec" && !kind.startsWith("uncovered-");

/** What can be wrong with many tasks alike is said of all of them at once. */
const together: Partial<Record<FaultKind, string>> = {
  "no-estimate": "have no effort estimate. Recommend T-shirt sizing (S/M/L) or hours.",
  "no-acceptance": "do not say when they are done. Recommend an acceptance line each.",
  "unwanted-task": "serve no requirement. Recommend naming the one each serves, or leaving them out.",
};

const MOST_NAMED = 10;

/** What is wrong with the documents, each with where it stands. A task that is missing is told as one to be added. */
export function faultTexts(findings: Fault[], read: Read): string[] {
  const wrong = findings.filter(({ severity, kind }) => severity !== "note" && kind !== "missing-task");
  const told = new Set<FaultKind>();
  return wrong.flatMap((fault) => {
    if (told.has(fault.kind)) return [];
    const alike = together[fault.kind] === undefined ? [fault] : wrong.filter(({ kind }) => kind === fault.kind);
    if (alike.length === 1) return [`${fault.message} (${placesOf([fault], read)})`];
    told.add(fault.kind);
    const ids = named(alike.flatMap((one) => one.ids));
    return [`Tasks ${ids} ${together[fault.kind]} (${placesOf(alike, read)})`];
  });
}

function placesOf(faults: Fault[], { documents, place: folder }: Read): string {
  const [first] = faults;
  if (!first) return folder;
  const { document } = first.place;
  const lines = faults.filter(({ place }) => place.document === document).map(({ place }) => `${place.line}`);
  return `${documents[document]?.path ?? `${folder}/${document}.md`}:${named(lines, ", ")}`;
}

/** "T1, T2 and T3"; of many the first, and how many more. */
function named(items: string[], last = " and "): string {
  const shown =
    items.length > MOST_NAMED ? [...items.slice(0, MOST_NAMED), `${items.length - MOST_NAMED} more`] : items;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")}${last}${shown.at(-1)}`;
}
