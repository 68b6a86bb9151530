import type { Task } from "./task-document.ts";
import type { Outline } from "./task-document-entries.ts";
import { keyOf, prefixOf } from "./task-document-ids.ts";
import { listIn } from "./task-document-relations.ts";

const MOST_CLAIMS = 50;
const CLAIM = /\bin parallel\b|\bsimultaneous|\bat the same time\b|\bconcurrently\b/i;
const NO_CLAIM = /\b(?:not|never|cannot|can't|after|once|then|before|unless|until)\b|→|->/i;

/** "T005, T006 can run in parallel": what is said of tasks beside their own marks. */
export function togetherIn({ rest }: Outline, tasks: Task[]): { ids: string[]; line: number }[] {
  const known = new Map(tasks.map(({ id }) => [keyOf(id), id]));
  const own = new Set(tasks.map(({ id }) => prefixOf(/^[A-Za-z]*/.exec(id)?.[0] ?? "")));
  const found: { ids: string[]; line: number }[] = [];
  for (const { line } of rest) {
    if (found.length >= MOST_CLAIMS) break;
    if (!CLAIM.test(line.text) || NO_CLAIM.test(line.text)) continue;
    const ids = new Set(listIn(line.text, own, false).ids.flatMap((id) => known.get(keyOf(id)) ?? []));
    if (ids.size > 1) found.push({ ids: [...ids].slice(0, MOST_CLAIMS), line: line.number });
  }
  return found;
}
