import * as z from "zod";
import { DragomanError } from "../../core/errors.ts";
import type { Target, ToolContext } from "../../core/tool.ts";
import { targetOf } from "../../tools/workspace-path.ts";
import type { DocumentName } from "../documents.ts";
import { checkFeature, fileNames, SPECS } from "../features/document-content.ts";
import {
  type Change,
  type FeatureSettings,
  featureStore,
  fileStore,
  type Saved,
  type SaveOptions,
  type StoredDocument,
} from "../features/index.ts";

/** What is configured for a workspace. */
export type SettingsOf = (workspace: string) => FeatureSettings | Promise<FeatureSettings>;

export const placeArgs = {
  feature: z.string().min(1).max(100).optional().describe("The feature, by the name of its folder and branch."),
  file: z.string().min(1).max(4096).optional().describe("Or a document, from the workspace or absolute."),
};
export interface PlaceArgs {
  feature?: string;
  file?: string;
}
export const isOnePlace = ({ feature, file }: PlaceArgs) => (feature === undefined) !== (file === undefined);
export const ONE_PLACE = "Give either the feature or the file.";

/** The documents that a call is about, wherever they are. */
export interface SpecPlace {
  /** The folder, as a person is shown it. */
  shown: string;
  /** What a save does with them: a commit on a branch, here or on GitHub, or nothing but files. */
  about: string;
  settings: FeatureSettings;
  isOnGithub: boolean;
  read(): Promise<StoredDocument[]>;
  save(changes: readonly Change[], options: SaveOptions): Promise<Saved>;
  /** Where a document that is not there yet would be. */
  pathOf(name: DocumentName): Promise<string>;
  /** What would be touched on this machine. */
  targets(names: readonly DocumentName[], writes: boolean): Promise<Target[]>;
}

export async function specPlace(
  { feature, file }: PlaceArgs,
  context: ToolContext,
  settingsOf: SettingsOf,
): Promise<SpecPlace> {
  const settings = { ...(await settingsOf(context.workspace)), trusted: context.trusted };
  if (file !== undefined) return placeOfFile(file, context, settings);
  if (feature === undefined) throw new DragomanError("invalid_tool_args", ONE_PLACE);
  checkFeature(feature);
  return placeOfFeature(feature, context, settings);
}

function placeOfFeature(feature: string, context: ToolContext, settings: FeatureSettings): SpecPlace {
  const store = featureStore(context.workspace, settings);
  const [folder, isOnGithub] = [`${SPECS}/${feature}`, store.kind === "github"];
  const on = {
    git: `committed on the branch ${feature}`,
    github: `committed on the branch ${feature} on GitHub`,
    folder: "saved as files",
  };
  const pathOf = async (name: DocumentName) => `${folder}/${fileNames[name][0]}`;
  const read = () => store.read(feature);
  return {
    shown: isOnGithub ? `${settings.github?.repository}: ${folder}` : folder,
    about: on[store.kind],
    settings,
    isOnGithub,
    read,
    save: (changes, options) => store.save(feature, changes, options),
    pathOf,
    targets: async (names, writes) => {
      if (isOnGithub) return [];
      return Promise.all(names.map(async (name) => targetOf(await pathOf(name), context, { writes })));
    },
  };
}

async function placeOfFile(file: string, context: ToolContext, settings: FeatureSettings): Promise<SpecPlace> {
  const own = await targetOf(file, context, { writes: false });
  const store = fileStore(own.real, { ...settings, from: context.workspace });
  return {
    shown: (await targetOf(`${own.real}/..`, context, { writes: false })).path,
    about: "saved as files",
    settings,
    isOnGithub: false,
    read: () => store.read(),
    save: (changes, options) => store.save(changes, options),
    pathOf: (name) => store.pathOf(name),
    targets: async (names, writes) => {
      // Of a file outside nothing more is told than where it is, before someone has said yes.
      if (!writes || own.outside) return [{ ...own, writes }];
      return Promise.all(names.map(async (name) => targetOf(await store.pathOf(name), context, { writes })));
    },
  };
}
