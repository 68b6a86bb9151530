import * as z from "zod";
import type { Tool } from "../../core/tool.ts";
import { documentNames } from "../documents.ts";
import { checkTargets, rememberTargets } from "./judged-targets.ts";
import { isOnePlace, ONE_PLACE, placeArgs, type SettingsOf, specPlace } from "./spec-place.ts";

const args = z.object(placeArgs).refine(isOnePlace, ONE_PLACE);
type Args = z.infer<typeof args>;

export function specRead(settings: SettingsOf): Tool<Args> {
  return {
    name: "spec_read",
    description: "Reads the documents of a feature: its spec, its plan and its tasks, as far as there are any.",
    kind: "read",
    risk: "read",
    args,
    async intent(given, context) {
      const place = await specPlace(given, context, settings);
      const targets = await place.targets(documentNames, false);
      rememberTargets(given, targets);
      return { title: `Read the documents in ${place.shown}`, targets };
    },
    async run(given, context) {
      const place = await specPlace(given, context, settings);
      checkTargets(given, await place.targets(documentNames, false));
      const today = new Date().toISOString().slice(0, 10);
      return { result: { documents: await place.read(), today, place: place.shown } };
    },
  };
}
