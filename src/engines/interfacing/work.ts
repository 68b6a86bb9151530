import { type Carried, carriedOver, editsBetween, withoutEdits } from "../../generator/customizing/carry-edits.ts";
import { type CustomizeRequest, customize } from "../../generator/customizing/customize.ts";
import { suggestionsIn } from "../../generator/customizing/suggestions.ts";
import { customizationsIn } from "../../generator/emitting/customizations.ts";
import { type GenerateOptions, generate } from "../../generator/generate.ts";
import type { NormalizedSpec, Warning } from "../../generator/normalized-spec.ts";
import { readDescription } from "../../generator/reading/read-description.ts";
import { readNormalized } from "../../generator/reading/read-normalized.ts";

/** What an interface is made from: as a host has normalized it, or as it was written. */
export type Source = { spec: Record<string, unknown> } | { name: string; text: string };

/** The interface that there is already. */
export interface Before {
  code: string;
  /** As it was generated, and with which edits of an earlier one. */
  generated?: { code: string; edits?: unknown };
}

export interface GenerateOrder {
  source: Source;
  options: Omit<GenerateOptions, "customizations">;
  before?: Before;
}

export interface GenerateDone {
  title: string;
  code: string;
  /** The same without what was changed in the code before. */
  unedited: string;
  componentCount: number;
  description: string;
  warnings: Warning[];
  /** How many customizations there are that hold in the new one, too. */
  kept: number;
  /** What does not, and why. */
  conflicts: { said: string; why: string }[];
  /** What was changed in the code before and is so in the new one. */
  edits?: unknown;
}

/** What is worked out of texts alone. A large description can take its time. */
export const interfaceWork = {
  generate: ({ source, options, before }: GenerateOrder): GenerateDone => {
    const { spec, warnings } = specOf(source);
    const customizations = (before && customizationsIn(before.code)) ?? [];
    const made = generate(spec, { ...options, customizations });
    const carried = carriedFrom(before, made.code);
    const conflicts = made.conflicts.map(({ customization, why }) => ({
      said: customization.said ?? customization.change,
      why,
    }));
    return {
      title: spec.metadata.title,
      code: carried.code,
      unedited: made.code,
      componentCount: made.componentCount,
      description: made.description,
      warnings: [...warnings, ...made.warnings],
      kept: customizations.length - conflicts.length,
      conflicts: [...conflicts, ...carried.lost.map((why) => ({ said: "an edit of the code", why }))],
      edits: carried.edits,
    };
  },
  customize: (request: CustomizeRequest) => customize(request),
  suggest: ({ code }: { code: string }) => suggestionsIn(code),
};

function carriedFrom(before: Before | undefined, code: string): Carried {
  const { generated } = before ?? {};
  const edits = before && generated && editsBetween(withoutEdits(generated.code, generated.edits), before.code);
  if (edits === "another text") {
    const why = "It has too little in common with what was generated to go over. It is in the version before this.";
    return { code, lost: [why] };
  }
  return edits ? carriedOver(code, edits) : { code, lost: [] };
}

function specOf(source: Source): { spec: NormalizedSpec; warnings: Warning[] } {
  return "spec" in source ? { spec: readNormalized(source.spec), warnings: [] } : readDescription([source]);
}

export type InterfaceWork = typeof interfaceWork;
export type InterfaceWorkName = keyof InterfaceWork;

export interface InterfaceOrder<Name extends InterfaceWorkName = InterfaceWorkName> {
  name: Name;
  given: Parameters<InterfaceWork[Name]>[0];
}
