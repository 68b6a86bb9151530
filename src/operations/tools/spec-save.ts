import { createHash } from "node:crypto";
import * as z from "zod";
import { DragomanError } from "../../core/errors.ts";
import type { Intent, Target, Tool } from "../../core/tool.ts";
import { documentNames } from "../documents.ts";
import { checkChanges, checkIfMatch, etagsOf } from "../features/document-content.ts";
import type { Change, Saved, StoredDocument } from "../features/index.ts";
import { type DiffedDocument, documentsDiff } from "./documents-diff.ts";
import { checkTargets, rememberTargets } from "./judged-targets.ts";
import { isOnePlace, ONE_PLACE, placeArgs, type SettingsOf, type SpecPlace, specPlace } from "./spec-place.ts";

const change = z.object({
  name: z.enum(documentNames),
  content: z.string().max(200_000).describe("All that the document is to have in it."),
  ifMatch: z.string().nullable().optional().describe("The etag that it must have now; null: it must not be there."),
});

const args = z
  .object({
    ...placeArgs,
    changes: z.array(change).min(1).max(documentNames.length),
    message: z.string().min(1).max(10_000).describe("Of the commit."),
    push: z.boolean().optional().describe("Whether the branch is sent to its remote; as configured, if not said."),
    by: z.string().max(300).optional().describe("Whose change it is."),
  })
  .refine(isOnePlace, ONE_PLACE);
type Args = z.infer<typeof args>;

/** What a person was shown, by the arguments of the call: it is what they agreed to. */
const shown = new WeakMap<Args, Map<string, string | undefined>>();

export function specSave(settings: SettingsOf): Tool<Args> {
  return {
    name: "spec_save",
    description: "Saves documents of a feature, all of them or none, and commits them on the feature's branch.",
    kind: "edit",
    risk: "edit",
    args,
    async intent(given, context) {
      checkChanges(given.changes);
      const place = await specPlace(given, context, settings);
      const targets = await targetsOf(given, place);
      rememberTargets(given, targets);
      return intentFor(given, place, targets);
    },
    async run(given, context, { signal, supervise, onKill }) {
      const place = await specPlace(given, context, settings);
      checkTargets(given, await targetsOf(given, place));
      const before = await documentsOf(place);
      const diff = documentsDiff(await diffed(given, place, before));
      const { message, push, by } = given;
      const saved = await saveAsShown(given, (changes) =>
        place.save(changes, { message, push, by, signal, supervise, onKill }),
      );
      return { result: saved, ...(diff === undefined ? {} : { diff }) };
    },
  };
}

async function intentFor(given: Args, place: SpecPlace, targets: Target[]): Promise<Intent> {
  const names = given.changes.map(({ name }) => name);
  const title = `Save ${new Intl.ListFormat("en").format(names)} in ${place.shown}`;
  const pushes = given.push ?? place.settings.push ?? false;
  const push = pushes && !place.isOnGithub ? [`Will be pushed to ${place.settings.remote ?? "origin"}.`] : [];
  const intent: Intent = { title, detail: [given.message, "", `Will be ${place.about}.`, ...push].join("\n"), targets };
  try {
    const documents = await documentsOf(place);
    const etags = etagsOf(given.changes, documents);
    checkIfMatch(given.changes, etags);
    shown.set(given, etags);
    const diffs = await diffed(given, place, documents);
    const basis = createHash("sha256")
      .update(JSON.stringify([place.shown, [...etags]]))
      .digest("hex");
    return { ...intent, path: diffs[0]?.path, diff: documentsDiff(diffs), basis };
  } catch (error) {
    // Why it cannot be would tell whoever asks for it, again and again, what is in a file that they may not read.
    if (error instanceof DragomanError && targets.some(({ outside }) => outside)) return intent;
    throw error;
  }
}

/** What was agreed to is a change of what was shown. */
async function saveAsShown(given: Args, save: (changes: readonly Change[]) => Promise<Saved>): Promise<Saved> {
  const etags = shown.get(given);
  const changes = given.changes.map((one) => {
    if (one.ifMatch !== undefined || !etags) return one;
    return { ...one, ifMatch: etags.get(one.name) ?? null };
  });
  try {
    return await save(changes);
  } catch (error) {
    const isOwn = given.changes.every(({ ifMatch }) => ifMatch === undefined);
    if (!isOwn || !(error instanceof DragomanError) || error.code !== "precondition_failed") throw error;
    throw new DragomanError("conflict", error.message, error.data);
  }
}

/** A push that only this call wants reaches beyond the machine, and is seen by the policy as that. */
async function targetsOf(given: Args, place: SpecPlace): Promise<Target[]> {
  const targets = await place.targets(
    given.changes.map(({ name }) => name),
    true,
  );
  const { push, remote = "origin" } = place.settings;
  if (!given.push || push || place.isOnGithub) return targets;
  return [...targets, { path: remote, real: remote, outside: true, control: false, writes: true }];
}

async function documentsOf(place: SpecPlace): Promise<StoredDocument[]> {
  try {
    return await place.read();
  } catch (error) {
    if (error instanceof DragomanError && error.code === "document_not_found") return [];
    throw error;
  }
}

function diffed({ changes }: Args, place: SpecPlace, documents: StoredDocument[]): Promise<DiffedDocument[]> {
  return Promise.all(
    changes.map(async ({ name, content }) => {
      const there = documents.find((one) => one.name === name);
      return { path: there?.path ?? (await place.pathOf(name)), before: there?.content, after: content };
    }),
  );
}
