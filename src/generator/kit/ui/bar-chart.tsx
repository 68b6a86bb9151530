import { useState } from "react";
import type { Bar } from "./bars.ts";
import { Button } from "./button.tsx";
import { EmptyState } from "./states.tsx";

const rowHeight = 28;
const barHeight = 10;

/** Horizontal bars with their names and numbers; the same as a table on request. */
export function BarChart({ label, bars }: { label: string; bars: Bar[] }) {
  const [isTable, setTable] = useState(false);
  if (bars.length === 0) return <EmptyState title="No figures yet" />;
  return (
    <div className="chart">
      {isTable ? <BarTable label={label} bars={bars} /> : <BarDrawing label={label} bars={bars} />}
      <Button tone="quiet" size="small" onClick={() => setTable(!isTable)}>
        {isTable ? "Show as chart" : "Show as table"}
      </Button>
    </div>
  );
}

function BarDrawing({ label, bars }: { label: string; bars: Bar[] }) {
  const text = bars.map((bar) => `${bar.label}: ${bar.value}`).join(", ");
  return (
    <div className="bars" role="img" aria-label={`${label}. ${text}`}>
      <div className="bar-names">
        {bars.map((bar) => (
          <span key={bar.label} title={bar.label}>
            {bar.label}
          </span>
        ))}
      </div>
      <svg
        className="bar-drawing"
        width="100%"
        height={bars.length * rowHeight}
        aria-hidden="true"
        focusable="false"
      >
        {bars.map((bar, index) => {
          const y = index * rowHeight + (rowHeight - barHeight) / 2;
          return (
            <g key={bar.label}>
              <rect className="bar-track" x="0" y={y} width="100%" height={barHeight} rx="3" />
              <rect
                className="bar"
                x="0"
                y={y}
                width={`${bar.share * 100}%`}
                height={barHeight}
                rx="3"
              />
            </g>
          );
        })}
      </svg>
      <div className="bar-values">
        {bars.map((bar) => (
          <span key={bar.label}>{new Intl.NumberFormat().format(bar.value)}</span>
        ))}
      </div>
    </div>
  );
}

function BarTable({ label, bars }: { label: string; bars: Bar[] }) {
  return (
    <table className="table">
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" className="cell-number">
            Number
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.label}>
            <td>{bar.label}</td>
            <td className="cell-number">{new Intl.NumberFormat().format(bar.value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
