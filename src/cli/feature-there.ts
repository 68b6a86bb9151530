import { DragomanError } from "../core/errors.ts";
import type { FeatureStore } from "../operations/features/index.ts";

const MOST_LOOKED_AT = 1000;
const MOST_NAMED = 5;
/** A shorter name is in too many others. */
const FEWEST_LETTERS = 4;

/** Fails where a feature does not exist, with what may have been meant: before there is a session for it. */
export async function checkFeatureThere(feature: string, store: Pick<FeatureStore, "read" | "list">): Promise<void> {
  try {
    await store.read(feature);
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== "document_not_found") return; // the run tells it
    const known = (await store.list(MOST_LOOKED_AT)).map(({ id }) => id);
    if (known.includes(feature)) throw error; // it has no documents
    throw new DragomanError("document_not_found", `There is no feature ${feature}. ${instead(feature, known)}`);
  }
}

function instead(feature: string, known: string[]): string {
  if (known.length === 0) return "There is none yet: describe one in specs/<name>/spec.md.";
  const meant = known.filter((name) => isLike(name, feature)).slice(0, MOST_NAMED);
  if (meant.length > 0) return `Did you mean ${new Intl.ListFormat("en", { type: "disjunction" }).format(meant)}?`;
  const more = known.length > MOST_NAMED ? ` and ${known.length - MOST_NAMED} more` : "";
  return `There is: ${known.slice(0, MOST_NAMED).join(", ")}${more}.`;
}

/** By its number, by a part of its name, or by more than its name. */
function isLike(name: string, given: string): boolean {
  const [there, wanted] = [name, given].map((one) => one.toLowerCase()) as [string, string];
  if (/^\d+$/.test(wanted)) return Number.parseInt(there, 10) === Number(wanted);
  const [ownWords, words] = [there, wanted].map((one) => one.replace(/^\d+[-_.]?/, ""));
  if (!ownWords || !words) return false;
  return ownWords.includes(words) || (ownWords.length >= FEWEST_LETTERS && words.includes(ownWords));
}
