import type { FieldFormat, Tone } from "../../kit/customizing/customization.ts";
import type { Field, Json, Resource } from "../../kit/descriptor.ts";
import { capitalized } from "../../understanding/names.ts";
import {
  fieldMeant,
  fieldOf,
  inQuotes,
  type Meant,
  optionMeant,
  resourceMeant,
  type Talk,
  unquoted,
} from "../phrases.ts";
import { type Rule, way } from "../rule.ts";
import { type Choice, chosen, clear, declined } from "../understood.ts";
import type { FoundOption } from "../vocabulary.ts";
import { about, ofEach, ofField, where } from "./columns.ts";

// What fields are called, how their values look, and what forms make of them.

const labels: Rule = {
  says: [
    way(
      "(?:CALL|change)(?: the)?(?: (?:label|name|title|heading|header)(?: of| for)?)?(?: the)?(?: COLUMN)? (?<field>.+?)(?: COLUMN)?(?: (?:label|heading|header))? (?:to|as|into|->|=>|=) (?<label>.+)",
    ),
    way("(?<field>.+?)(?: COLUMN)? (?:should|must|shall) be (?:called|named|labell?ed|renamed to) (?<label>.+)"),
    way("(?:call|name|label)(?: the)? (?<field>.+?) COLUMN (?<label>.+)"),
    way("(?:call|name|label)(?: the)? (?<field>[\\w .›-]+?) (?<label>[\"“'].+)"),
    way("(?:call|name|label)(?: the)? (?<field>[\\w-]+) (?<label>[\\w-]+)"),
  ],
  means: ({ field = "", label = "" }, talk) => {
    const text = capitalized(unquoted(label));
    if (text === "" || text.length > 60) return undefined;
    const meant = fieldMeant(talk, field);
    if (meant.kind === "none") return undefined;
    return ofField(meant, (one) =>
      clear(
        { change: "fieldLabel", ...about(one.resource), field: one.found.field.name, label: text },
        `${inQuotes(one.found.label)} is called ${inQuotes(text)} ${where(one)}`,
      ),
    );
  },
};

const formats: [FieldFormat, RegExp, string?][] = [
  ["currency", /^(?:an? )?(?:amounts? in |price in |in )?(?:us )?(?:dollars?|usd|\$)$/i, "USD"],
  ["currency", /^(?:an? )?(?:amounts? in |price in |in )?(?:euros?|eur|€)$/i, "EUR"],
  ["currency", /^(?:an? )?(?:amounts? in |price in |in )?(?:pounds?|gbp|£)$/i, "GBP"],
  ["currency", /^(?:an? )?(?:amounts? in |price in |in )?(?:yen|jpy|¥)$/i, "JPY"],
  ["currency", /^(?:an? )?(?:amounts? in |price in |in )?(?:swiss )?(?:francs?|chf)$/i, "CHF"],
  ["currency", /^(?:an? )?(?:currency|money|price|amount of money)$/i, "USD"],
  ["percent", /^(?:an? )?(?:percent(?:age)?s?|%)$/i],
  ["bytes", /^(?:an? )?(?:file ?sizes?|bytes|megabytes|mb|kb|size in (?:bytes|mb))$/i],
  ["relative", /^(?:an? )?(?:relative (?:time|date)s?|time ago|(?:an )?age|how long ago|(?:\d+|x|n) days ago)$/i],
  ["dateTime", /^(?:an? )?(?:date and time|date ?time|timestamp)s?$/i],
  ["date", /^(?:an? )?dates?(?: only)?$/i],
  ["image", /^(?:an? )?(?:images?|pictures?|photos?|thumbnails?|avatars?)$/i],
  ["link", /^(?:an? )?(?:clickable )?(?:links?|hyperlinks?|urls?)$/i],
  ["badge", /^(?:an? )?(?:colou?red )?(?:badges?|chips?|pills?|labels?|tags?)$/i],
  ["color", /^(?:an? )?(?:colou?r(?: swatch| sample)?e?s?|swatch(?:es)?)$/i],
  ["stars", /^(?:an? )?(?:(?:star )?ratings?|stars)$/i],
  ["longText", /^(?:an? )?(?:long text|paragraphs?|multi-?line(?: text)?|full text)$/i],
  ["number", /^(?:an? )?(?:plain )?numbers?$/i],
  ["text", /^(?:an? )?(?:plain |normal )?text$/i],
];

const formatted: Rule = {
  says: [
    way(
      "(?:format|SHOW|render|MAKE|treat|present|write|turn)(?: the)? (?<field>.+?) (?:as|like|into) (?<format>.+?)(?: (?:in|on|of|for)(?: the)? (?<list>.+))?",
    ),
    way(
      "(?:format|SHOW|render|MAKE|present|write)(?: the)? (?<field>.+?) in (?<format>us dollars|dollars|usd|euros?|eur|pounds|gbp|yen|jpy|francs|chf|percent|bytes|megabytes|stars)(?: (?:in|on|of|for)(?: the)? (?<list>.+))?",
    ),
    way(
      "(?<field>.+?) (?:should be|is|are) (?:shown |formatted |displayed |rendered )?(?:as |in )?(?<format>an? (?:currency|image|picture|link|badge|percentage|date|rating)|currency|euros|dollars|stars|a relative date)",
    ),
  ],
  means: ({ field = "", format = "", list }, talk) => {
    const known = formats.find(([, pattern]) => pattern.test(unquoted(format)));
    if (!known) return undefined;
    const [name, , currency] = known;
    const meant = fieldMeant(talk, list ? `${field} in ${list}` : field);
    if (meant.kind === "none" && !list) return undefined;
    const isGuess = currency !== undefined && /currency|money|price|amount of/i.test(format);
    return ofField(meant, (one) =>
      clear(
        {
          change: "fieldFormat",
          ...about(one.resource),
          field: one.found.field.name,
          format: name,
          ...(currency ? { currency } : {}),
        },
        `${inQuotes(one.found.label)} is shown as ${formatWords[name](currency)} ${where(one)}`,
        ...(isGuess ? ["the amounts are in US dollars; say “in euros” or another currency if they are not"] : []),
      ),
    );
  },
};

const formatWords: Record<FieldFormat, (currency?: string) => string> = {
  text: () => "plain text",
  longText: () => "a paragraph",
  number: () => "a number",
  currency: (currency) => `an amount in ${currency}`,
  percent: () => "a percentage",
  bytes: () => "a size in bytes",
  date: () => "a date",
  dateTime: () => "a date with its time",
  relative: () => "how long ago it was",
  image: () => "an image",
  link: () => "a link",
  badge: () => "a badge",
  color: () => "a colour",
  stars: () => "stars",
};

const required: Rule = {
  says: [
    way(
      "(?:MAKE|mark)(?: the)? (?<field>.+?)(?: (?:as|be|a|an))* (?:(?<required>required|mandatory|obligatory|compulsory)|(?<optional>optional|not required|not mandatory))(?: field)?(?: (?:in|on|of|for|(?:when|for) (?:creating|editing|adding|making))(?: the| an?| new)? (?<list>.+))?",
    ),
    way("(?:require|demand)(?: an?| the)? (?<field>.+?)(?<required>)(?: (?:in|on|of|for)(?: the)? (?<list>.+))?"),
    way(
      "(?:the )?(?<field>.+?) (?:should be|must be|is|has to be) (?:(?<required>required|mandatory|filled in|filled)|(?<optional>optional|not required))(?: (?:in|on|of|for)(?: the)? (?<list>.+))?",
    ),
  ],
  means: ({ field = "", optional, list }, talk) =>
    ofEach(talk, list ? `${field} in ${list}` : field, (one) =>
      clear(
        {
          change: "fieldRequired",
          ...about(one.resource),
          field: one.found.field.name,
          required: optional === undefined,
        },
        `${inQuotes(one.found.label)} ${optional ? "is optional" : "is required"} ${where(one)}`,
        ...(optional && one.found.field.required ? ["the API may still refuse to do without it"] : []),
      ),
    ),
};

const readOnly: Rule = {
  says: [
    way(
      "(?:MAKE|mark)(?: the)? (?<field>.+?)(?: (?:as|be|a))* (?:(?<locked>read-? ?only|not editable|uneditable|locked|fixed)|(?<open>editable|writable|changeable))(?: (?:in|on|of|for)(?: the)? (?<list>.+))?",
    ),
    way("(?:lock|freeze)(?: the)? (?<field>.+?)(?<locked>)(?: (?:in|on|of|for)(?: the)? (?<list>.+))?"),
    way(
      "(?:don'?t|do not|never) (?:let (?:people|users|anyone|anybody) )?(?:allow (?:to )?)?(?:edit(?:ing)?|chang(?:e|ing))(?: (?:of|to))?(?: the)? (?<field>.+?)(?<locked>)",
    ),
  ],
  means: ({ field = "", open, list }, talk) => {
    const text = list ? `${field} in ${list}` : field;
    const meant = fieldMeant(talk, text);
    if (meant.kind === "none") return undefined;
    return ofEach(talk, text, (one) =>
      clear(
        { change: "fieldReadOnly", ...about(one.resource), field: one.found.field.name, readOnly: open === undefined },
        `${inQuotes(one.found.label)} can ${open ? "" : "not "}be changed ${where(one)}`,
      ),
    );
  },
};

const defaults: Rule = {
  says: [
    way(
      "new (?<list>.+?) (?:should|must|shall)(?: always)? (?:have|start with|get|begin with)(?: an?| the)? (?<field>.+?)(?: of)? (?<value>[\"“'].+|\\S+)",
    ),
    way(
      "(?:MAKE|set|change)(?: the)? default(?: value)?(?: (?:of|for))?(?: the)? (?<field>.+?) (?:to|as|be|=) (?<value>.+?)(?: (?:for|in|of)(?: the| all)?(?: new)? (?<list>.+))?",
    ),
    way(
      "(?:MAKE|set)(?: the)? (?<field>.+?)(?:'s)? default(?: value)?(?: (?:to|as|be|=))? (?<value>.+?)(?: (?:for|in|of)(?: the| all)?(?: new)? (?<list>.+))?",
    ),
    way("default(?: the)? (?<field>.+?) (?:to|as|=) (?<value>.+)"),
    way("(?:pre-?fill|pre-?set|pre-?select|start)(?: the)? (?<field>.+?) (?:with|to|as|at) (?<value>.+)"),
    way("(?:use|take) (?<value>.+?) as(?: the)? default(?: value)?(?: (?:of|for))(?: the)? (?<field>.+)"),
    way("(?:the )?(?<field>.+?) (?:should )?(?:defaults?|be) (?:to|by default) (?<value>.+)"),
  ],
  means: ({ field = "", value = "", list }, talk) =>
    ofField(fieldMeant(talk, list ? `${field} in ${list}` : field), (one) => {
      const typed = typedDefault(one.found.field, unquoted(value));
      if (typed === undefined)
        return declined(`${inQuotes(value)} is no value for ${inQuotes(one.found.label)}${valuesOf(one)}.`);
      return clear(
        { change: "fieldDefault", ...about(one.resource), field: one.found.field.name, value: typed },
        `${inQuotes(one.found.label)} starts as ${inQuotes(value)} in new ${one.resource?.plural ?? "records"}`,
      );
    }),
};

function valuesOf({ found }: Meant): string {
  const options = found.field.options?.map(({ label }) => label);
  return options ? `; it can be ${options.join(", ")}` : "";
}

/** A value of the field's own kind; undefined where the words are none. */
export function typedDefault(field: Field, text: string): Json | undefined {
  if (field.options) {
    const wanted = text.toLowerCase();
    return field.options.find(({ value, label }) => [String(value), label].some((one) => one.toLowerCase() === wanted))
      ?.value;
  }
  if (field.kind === "boolean")
    return /^(?:yes|true|on|checked|1)$/i.test(text)
      ? true
      : /^(?:no|false|off|unchecked|0)$/i.test(text)
        ? false
        : undefined;
  if (field.kind === "integer" || field.kind === "number") {
    const number = Number(text.replace(/[,$€£%\s]/g, ""));
    return text !== "" && Number.isFinite(number) && (field.kind === "number" || Number.isInteger(number))
      ? number
      : undefined;
  }
  return ["object", "list", "map", "union", "json", "file"].includes(field.kind) ? undefined : text;
}

const help: Rule = {
  says: [
    way(
      '(?:add|set|write|put|SHOW)(?: an?| the)? (?:help(?: text)?|hint|tooltip|description|explanation|note)(?: (?:to|for|on|of|below|under|beside|next to))(?: the)? (?<field>[^:"“]+?)(?: COLUMN)?(?: (?:saying|that says|reading|to|as))?:? (?<text>["“\'].+|.+)',
    ),
    way('explain(?: the)? (?<field>[^:"“]+?)(?: COLUMN)?(?: (?:as|with|by))?:? (?<text>["“\'].+)'),
  ],
  means: ({ field = "", text = "" }, talk) => {
    const meant = fieldMeant(talk, field);
    if (meant.kind === "none") return undefined;
    return ofField(meant, (one) =>
      clear(
        { change: "fieldHelp", ...about(one.resource), field: one.found.field.name, text: unquoted(text) },
        `${inQuotes(one.found.label)} is explained as ${inQuotes(text)} ${where(one)}`,
      ),
    );
  },
};

const titles: Rule = {
  says: [
    way(
      "(?:use|take|have|show|set)(?: the)? (?<field>.+?) as (?:the )?(?:title|name|heading|headline)(?: (?:of|for|in))(?: (?:an?|the|each|every))? (?<list>.+)",
    ),
    way(
      "(?:make)(?: the)? (?<field>.+?) (?:to be |be )?the (?:title|name|heading|headline)(?: (?:of|for|in))(?: (?:an?|the|each|every))? (?<list>.+)",
    ),
    way("(?:title|identify|head)(?: the)? (?<list>.+?) (?:by|with)(?: their| the| its)? (?<field>.+)"),
  ],
  means: ({ field = "", list = "" }, talk) => {
    const resource = resourceMeant(talk, list);
    if (resource.kind === "none") return undefined;
    return chosen(resource, (one) =>
      chosen(fieldOf(talk, one, field), (found) =>
        clear(
          { change: "recordTitle", resource: one.id, field: found.field.name },
          `${one.plural} are titled by ${inQuotes(found.label)}`,
        ),
      ),
    );
  },
};

const tones: Record<string, Tone> = {
  ...{ green: "good", red: "bad", crimson: "bad", orange: "wait", yellow: "wait", amber: "wait", blue: "info" },
  ...{ grey: "neutral", gray: "neutral", neutral: "neutral", colourless: "neutral" },
};

const optionTones: Rule = {
  says: [
    way(
      "(?:MAKE|SHOW|colou?r|paint|mark|highlight)(?: the)? (?<option>.+?)(?: (?:badge|status|label|value|ones)s?)?(?: (?:in|to|as|be))? (?<tone>green|red|crimson|orange|yellow|amber|blue|gr[ae]y|neutral|colourless)(?: (?:in|on|of|for)(?: the)? (?<list>.+))?",
    ),
    way(
      "(?<tone>green|red|orange|yellow|amber|blue|gr[ae]y) (?:for|badge for|when)(?: the)? (?<option>.+?)(?: (?:in|on|of)(?: the)? (?<list>.+))?",
    ),
  ],
  means: ({ option = "", tone = "", list }, talk) => {
    const within = list === undefined ? undefined : talk.vocabulary.resourcesNamed(list).map(({ it }) => it);
    const meant = optionSaid(talk, option, within);
    if (meant.kind === "none") return undefined;
    return chosen(meant, ({ resource, field, label, option: one }) =>
      clear(
        {
          change: "optionTone",
          resource: resource.id,
          field: field.name,
          value: one.value,
          tone: tones[tone.toLowerCase()] ?? "neutral",
        },
        `${inQuotes(one.label)} is ${tone.toLowerCase()} (${label} of ${resource.plural})`,
      ),
    );
  },
};

/** "sold pets": a value, and what has it. */
function optionSaid(talk: Talk, text: string, within?: Resource[]): Choice<FoundOption> {
  const meant = optionMeant(talk, text, within);
  const words = text.trim().split(/\s+/);
  if (meant.kind !== "none" || words.length < 2 || within) return meant;
  const near = talk.vocabulary.resourcesNamed(words.at(-1) ?? "").map(({ it }) => it);
  return near.length === 0 ? meant : optionMeant(talk, words.slice(0, -1).join(" "), near);
}

const optionLabels: Rule = {
  says: [
    way(
      "(?:CALL|change|SHOW|write|translate)(?: the)?(?: (?:status|value|option|state))? (?<option>.+?)(?: (?:status|value|option))? (?:to|as|into|->|=>|=) (?<label>.+)",
    ),
    way(
      "(?:call|name|label)(?: the)?(?: (?:status|value|option|state))? (?<option>[\\w-]+) (?<label>[\"“'].+|[\\w-]+)",
    ),
  ],
  means: ({ option = "", label = "" }, talk) => {
    const meant = optionMeant(talk, option);
    const text = capitalized(unquoted(label));
    if (meant.kind === "none" || text === "" || text.length > 60) return undefined;
    return chosen(meant, ({ resource, field, label: of, option: one }) =>
      clear(
        { change: "optionLabel", resource: resource.id, field: field.name, value: one.value, label: text },
        `${inQuotes(one.label)} is called ${inQuotes(text)} (${of} of ${resource.plural})`,
      ),
    );
  },
};

export const fieldRules: Rule[] = [
  formatted,
  required,
  readOnly,
  defaults,
  help,
  titles,
  optionTones,
  labels,
  optionLabels,
];
