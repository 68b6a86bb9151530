import { useId } from "react";
import { formatValue } from "../api/format.ts";
import { isJsonObject, propertyOf } from "../api/json.ts";
import type { Field, Json, Summary } from "../descriptor.ts";
import { BarChart } from "./bar-chart.tsx";
import { barsOf } from "./bars.ts";
import { Failure, SkeletonLines } from "./states.tsx";
import { useLoad } from "./use-load.ts";
import { LargeValue } from "./values/record-fields.tsx";
import { useWorkspace } from "./workspace.tsx";

/** A figure of the API, drawn as what it is. */
export function SummaryCard({ summary }: { summary: Summary }) {
  const { backend } = useWorkspace();
  const titleId = useId();
  const { value, error, reload } = useLoad(summary.id, (signal) =>
    backend.summary(summary, signal),
  );
  return (
    <article className="card summary-card" data-kind={summary.kind} aria-labelledby={titleId}>
      <h2 id={titleId} className="card-title">
        {summary.label}
      </h2>
      {summary.description && <p className="card-text">{summary.description}</p>}
      {error ? (
        <Failure error={error} onRetry={reload} />
      ) : value === undefined ? (
        <SkeletonLines lines={4} />
      ) : (
        <SummaryFigure summary={summary} value={value} />
      )}
    </article>
  );
}

function SummaryFigure({ summary, value }: { summary: Summary; value: Json }) {
  if (summary.kind === "bars") return <BarChart label={summary.label} bars={barsOf(value)} />;
  if (summary.kind === "stats" && isJsonObject(value)) {
    return <Stats field={summary.result} value={value} />;
  }
  if (summary.kind === "value") {
    return <p className="stat-value">{formatValue(summary.result, value) || "–"}</p>;
  }
  return <LargeValue field={summary.result} value={value} />;
}

function Stats({ field, value }: { field: Field; value: Json }) {
  const simple = (field.fields ?? []).filter(
    (part) => typeof propertyOf(value, part.name) !== "object",
  );
  if (simple.length === 0) return <LargeValue field={field} value={value} />;
  return (
    <dl className="stats">
      {simple.slice(0, 8).map((part) => (
        <div key={part.name} className="stat">
          <dt>{part.label}</dt>
          <dd className="stat-value">{formatValue(part, propertyOf(value, part.name)) || "–"}</dd>
        </div>
      ))}
    </dl>
  );
}
