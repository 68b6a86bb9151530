// Formats that say the same in plain figures: whether something is shown counts here, not how.

const resolvedOptions = () => ({ locale: "en", timeZone: "UTC", calendar: "gregory", numberingSystem: "latn" });
const supportedLocalesOf = (locales: string | string[] = []) => [locales].flat();

function format<Write extends (...args: never[]) => string>(methods: () => { format?: Write } & object) {
  const make = function Format() {
    const own = methods();
    const parts = (...args: Parameters<Write>) => [{ type: "literal", value: own.format?.(...args) ?? "" }];
    return { ...own, formatToParts: parts, resolvedOptions };
  };
  return Object.assign(make, { supportedLocalesOf });
}

function dateText(date: Date | number = Date.now()): string {
  const [day = "", time = ""] = new Date(date).toISOString().split("T");
  return `${day} ${time.slice(0, 5)}`;
}

const rangeText = (from: Date | number, to: Date | number) => `${dateText(from)} – ${dateText(to)}`;

export const intl = {
  DateTimeFormat: format(() => ({ format: dateText, formatRange: rangeText })),
  NumberFormat: format(() => ({ format: (value: number | bigint) => String(value) })),
  RelativeTimeFormat: format(() => ({ format: (value: number, unit: string) => `${value} ${unit}` })),
  ListFormat: format(() => ({ format: (items: Iterable<string>) => [...items].join(", ") })),
  PluralRules: format(() => ({ select: (count: number) => (count === 1 ? "one" : "other") })),
  Collator: format(() => ({ compare: (one: string, other: string) => (one < other ? -1 : Number(one > other)) })),
  DisplayNames: format(() => ({ of: (code: string) => code })),
  Segmenter: format(() => ({
    segment: (text: string) => Array.from(text, (segment, index) => ({ segment, index, input: text })),
  })),
  Locale: class {
    readonly #tag: string;
    constructor(tag: string) {
      this.#tag = tag;
    }
    get language(): string {
      return this.#tag.split("-")[0] ?? this.#tag;
    }
    toString(): string {
      return this.#tag;
    }
  },
  getCanonicalLocales: supportedLocalesOf,
  supportedValuesOf: (): string[] => [],
};
