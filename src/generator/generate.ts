import { DragomanError } from "../core/errors.ts";
import { conflictOf } from "./emitting/conflict-of.ts";
import { emitModule } from "./emitting/emit-module.ts";
import { emitProject, type ProjectFiles } from "./emitting/emit-project.ts";
import { withoutAuth } from "./emitting/without-auth.ts";
import type { Corrections, Inference, InterfaceModel } from "./interface-model.ts";
import type { Customization } from "./kit/customizing/customization.ts";
import type { Settings } from "./kit/descriptor.ts";
import type { NormalizedSpec, Warning } from "./normalized-spec.ts";
import { understand } from "./understanding/understand.ts";

export interface GenerateOptions {
  theme?: Settings["theme"];
  layout?: Settings["layout"];
  includeAuth?: boolean;
  pagination?: boolean;
  corrections?: Corrections;
  customizations?: Customization[];
}

export interface Generated {
  /** One module that needs nothing but React. */
  code: string;
  /** The screens that it has. */
  componentCount: number;
  description: string;
  inferences: Inference[];
  warnings: Warning[];
  /** Of the customizations, those that name what is not there: they do nothing until it is. */
  conflicts: Conflict[];
}

export interface Conflict {
  customization: Customization;
  why: string;
}

/** An interface for what a description describes, as one module. */
export function generate(spec: NormalizedSpec, options: GenerateOptions = {}): Generated {
  const model = understood(spec, options);
  return { code: emitModule(model, settingsOf(options), options.customizations), ...about(spec, model, options) };
}

export interface GeneratedProject extends Omit<Generated, "code"> {
  files: ProjectFiles;
}

/** The same interface as a project of many files. */
export function generateProject(spec: NormalizedSpec, options: GenerateOptions = {}): GeneratedProject {
  const model = understood(spec, options);
  return { files: emitProject(model, settingsOf(options), options.customizations), ...about(spec, model, options) };
}

function about(
  spec: NormalizedSpec,
  model: InterfaceModel,
  { customizations = [] }: GenerateOptions,
): Omit<Generated, "code"> {
  const { api, resources, inferences, warnings } = model;
  const conflicts = customizations.flatMap((customization) => {
    const why = conflictOf(customization, api, resources);
    return why === undefined ? [] : [{ customization, why }];
  });
  return { componentCount: screens(model), description: describe(spec, model), inferences, warnings, conflicts };
}

function understood(spec: NormalizedSpec, { corrections, includeAuth = true }: GenerateOptions): InterfaceModel {
  const model = understand(spec, corrections);
  const { api, resources } = model;
  const apart = [api.actions, api.summaries, api.signIn ?? []];
  if (resources.length === 0 && apart.every((list) => list.length === 0))
    throw new DragomanError("spec_invalid", "The description has nothing to show: no operation could be understood.");
  return includeAuth ? model : withoutAuth(model);
}

const settingsOf = (options: GenerateOptions): Settings => ({
  theme: options.theme ?? "light",
  layout: options.layout ?? "side",
  includeAuth: options.includeAuth ?? true,
  pagination: options.pagination ?? true,
});

function screens({ api, resources }: InterfaceModel): number {
  const dashboard = 1;
  const perResource = resources.map(({ lists, detail, create, update, actions }) => {
    const has = [lists.length > 0, detail, create, update].filter(Boolean).length;
    return has + actions.length;
  });
  return dashboard + api.actions.length + (api.signIn?.length ?? 0) + perResource.reduce((sum, one) => sum + one, 0);
}

function describe(spec: NormalizedSpec, { api, resources }: InterfaceModel): string {
  const operations = (spec.endpoints?.length ?? 0) + (spec.queries?.length ?? 0) + (spec.mutations?.length ?? 0);
  const noun = spec.format === "graphql" ? "operation" : "endpoint";
  const has = [
    resources.some(({ lists }) => lists.length > 0) && "data tables",
    resources.some(({ detail }) => detail) && "detail views",
    resources.some(({ create, update }) => create ?? update) && "forms",
    api.summaries.length > 0 && "a dashboard",
  ].filter((one) => one !== false);
  const parts = [counted(resources.length, "resource"), ...has];
  return `Generated interface with ${counted(operations, noun)}: ${listed(parts)}`;
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;

const listed = (parts: string[]) =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
