export interface Counter {
  add(by?: number): void;
}

type Labels = Readonly<Record<string, string>>;

interface Family {
  type: "counter" | "gauge";
  help: string;
  /** By their labels, as they are written. */
  series: Map<string, () => number>;
}

/** Numbers about this process, as Prometheus reads them. Labels must come from a closed set: every other one is kept for ever. */
export class Metrics {
  readonly #families = new Map<string, Family>();
  readonly #counters = new Map<string, Counter>();

  /** The same name and labels give the same counter. */
  counter(name: string, help: string, labels: Labels = {}): Counter {
    const written = inBraces(labels);
    const known = this.#counters.get(name + written);
    if (known) return known;
    let value = 0;
    const counter: Counter = {
      add: (by = 1) => {
        value += by;
      },
    };
    this.#counters.set(name + written, counter);
    this.#family(name, "counter", help).series.set(written, () => value);
    return counter;
  }

  /** `read` is asked whenever someone looks. */
  gauge(name: string, help: string, read: () => number, labels: Labels = {}): void {
    this.#family(name, "gauge", help).series.set(inBraces(labels), read);
  }

  /** Prometheus text format 0.0.4. */
  text(): string {
    let text = "";
    for (const [name, { type, help, series }] of this.#families) {
      text += `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`;
      for (const [labels, read] of series) text += `${name}${labels} ${read()}\n`;
    }
    return text;
  }

  #family(name: string, type: Family["type"], help: string): Family {
    const known = this.#families.get(name);
    if (known) return known;
    const family: Family = { type, help, series: new Map() };
    this.#families.set(name, family);
    return family;
  }
}

function inBraces(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

const escaped = (value: string) => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
