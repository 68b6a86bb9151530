import type { Resource } from "../../descriptor.ts";
import { inSentence } from "../in-sentence.ts";
import { ruleText } from "./row-rules.ts";

/** That not all rows are seen, and the way to see them. */
export function RuleNote({
  resource,
  all,
  onAll,
}: {
  resource: Resource;
  /** They are seen for now. */
  all: boolean;
  onAll: (all: boolean) => void;
}) {
  const { rules = [] } = resource;
  if (rules.length === 0) return null;
  const plural = inSentence(resource.plural);
  const text = all
    ? `All ${plural} are shown for now.`
    : rules.map((rule) => ruleText(resource, rule)).join(" ");
  return (
    <p className="list-note rule-note" role="status">
      {text}{" "}
      <button type="button" className="link" onClick={() => onAll(!all)}>
        {all ? "Show as usual" : `Show all ${plural}`}
      </button>
    </p>
  );
}
