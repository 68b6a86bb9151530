import type { Place, Wish } from "../../kit/customizing/customization.ts";
import type { Resource } from "../../kit/descriptor.ts";
import {
  fieldMeant,
  fieldsIn,
  inQuotes,
  isAll,
  listed,
  type Meant,
  namesIn,
  resourceMeant,
  type Talk,
} from "../phrases.ts";
import { type Rule, way } from "../rule.ts";
import { type Choice, chosen, clear, together, type Understood } from "../understood.ts";

// Which fields are seen, and in which order.

export const about = (resource: Resource | undefined) => (resource ? { resource: resource.id } : {});

/** "in Pets", "in all lists". */
export const where = ({ resource }: Meant) => `in ${resource?.plural ?? "all lists that have it"}`;

/** What is said of a field is said of it in every way that it is written. */
export function ofField(choice: Choice<Meant>, wish: (meant: Meant) => Understood): Understood {
  return chosen(choice, (meant) =>
    (meant.spelled ?? []).reduce((before, found) => together(before, () => wish({ found })), wish(meant)),
  );
}

/** What is said of several fields is said of each. */
export function ofEach(
  talk: Talk,
  text: string,
  wish: (meant: Meant) => Understood,
  meant: typeof fieldMeant = fieldMeant,
): Understood {
  const [first = "", ...others] = placesRepeated(namesIn(text));
  return others.reduce(
    (before, name) => together(before, () => ofField(meant(talk, name), wish)),
    ofField(meant(talk, first), wish),
  );
}

/** A column is one of a list, if any list has that field. */
export function columnMeant(talk: Talk, text: string): Choice<Meant> {
  const inLists = fieldMeant({ ...talk, vocabulary: talk.vocabulary.ofLists() }, text);
  return inLists.kind === "none" ? fieldMeant(talk, text) : inLists;
}

/** "id and status in orders": the place is that of both. */
function placesRepeated(names: string[]): string[] {
  const place = /\s+(?:in|on|of|for|from)\s+.+$/i.exec(names.at(-1) ?? "")?.[0] ?? "";
  return names.map((name) => (/\s(?:in|on|of|for|from)\s/i.test(name) ? name : name + place));
}

const formPlace =
  "(?:the )?(?:create |edit |new )?forms?|when (?:creating|editing)|(?:the )?(?:create|edit) (?:page|screen|dialog)s?";
const recordPlace = "(?:the )?(?:detail|details|record|profile)(?: pages?| views?| screens?)?";

const partly: Rule = {
  says: [
    way(
      `(?<hide>HIDE)(?: the)? (?<field>.+?) (?:in|on|from|of|for) (?:(?<form>${formPlace})|(?<record>${recordPlace}))(?: (?:of|for)(?: the)? (?<list>.+))?`,
    ),
    way(
      `(?:SHOW)(?: the)? (?<field>.+?) (?:in|on|to) (?:(?<form>${formPlace})|(?<record>${recordPlace}))(?: (?:of|for)(?: the)? (?<list>.+))?`,
    ),
    way(
      `(?<hide>HIDE)(?: the)? (?<field>.+?) (?:in|on|from)(?: the)? (?<list>.+?) (?:(?<form>form)|(?<record>detail page|details|record page|detail view))s?`,
    ),
  ],
  means: ({ hide, field = "", form, list }, talk) =>
    ofEach(talk, list ? `${field} in ${list}` : field, (meant) =>
      clear(
        {
          change: "fieldShown",
          ...about(meant.resource),
          field: meant.found.field.name,
          shown: hide === undefined,
          where: form ? "form" : "record",
        },
        `${inQuotes(meant.found.label)} is ${hide ? "hidden" : "shown"} ${form ? "in forms" : "on the page of a record"} ${where(meant)}`,
      ),
    ),
};

const columnsShown: Rule = {
  says: [
    way("(?<hide>HIDE)(?: the)? (?<field>.+?) COLUMN(?: (?:in|on|of|for|from)(?: the)? (?<list>.+))?"),
    way("(?<hide>HIDE)(?: the)? COLUMN (?<field>.+)"),
    way(
      "(?:SHOW|(?:also|additionally) show)(?: an?| the)?(?: (?:extra|new|additional))? (?:COLUMN (?:for|with|of|showing)?(?: the)? ?(?<field>.+)|(?<field2>.+?) (?:COLUMN|as an?(?: extra| additional)? column)(?: (?:in|on|of|for|to)(?: the)? (?<list>.+))?)",
    ),
  ],
  means: ({ hide, field, field2, list }, talk) => {
    const name = field ?? field2 ?? "";
    if (/^(?:these|those|this|that|all|every|any)$/i.test(name)) return undefined;
    return ofEach(
      talk,
      list && !isAll(list) ? `${name} in ${list}` : name,
      (meant) => column(meant, hide === undefined),
      columnMeant,
    );
  },
};

const column = (meant: Meant, shown: boolean) =>
  clear(
    { change: "columnShown", ...about(meant.resource), field: meant.found.field.name, shown },
    `The column ${inQuotes(meant.found.label)} is ${shown ? "shown" : "hidden"} ${where(meant)}`,
  );

const only: Rule = {
  says: [
    way(
      "(?:the )?(?:table|list) (?:should|must) (?:have|show|contain) (?:only|just)(?: the)?(?: columns?)? (?<fields>.+?)(?: COLUMN)?",
    ),
    way("columns?:? (?<fields>.+?,.+)"),
    way(
      "(?:SHOW|have|keep|list)? ?(?:only|just|nothing but|exactly|no more than)(?: show| display| list| have| keep)?(?: the)?(?: columns?)? (?<fields>.+?)(?: COLUMN)? (?:in|on|for|of)(?: the)? (?<list>.+)",
    ),
    way(
      "(?:SHOW|have|keep)(?: the)? (?<list>.+?) with (?:only|just)(?: the)?(?: columns?)? (?<fields>.+?)(?: COLUMN)?",
    ),
    way(
      "(?:for|in|on)(?: the)? (?<list>.+?),? (?:show|display|list|keep)(?: (?:only|just))(?: the)?(?: columns?)? (?<fields>.+?)(?: COLUMN)?",
    ),
    way("(?:the )?columns (?:of|in|for)(?: the)? (?<list>.+?) (?:should be|are|to be|:)(?: only)? (?<fields>.+)"),
    way(
      "(?:reorder|arrange|order)(?: the)? columns (?:of|in|for)(?: the)? (?<list>.+?) (?:as|to|like|by|:)+ ?(?<fields>.+)",
    ),
  ],
  means: ({ fields = "", list }, talk) => {
    const resource = list === undefined ? onlyList(talk) : resourceMeant(talk, list);
    if (resource.kind === "none") return undefined;
    return chosen(resource, (one) => {
      const meant = fieldsIn(talk, one, fields);
      return chosen(meant, (found) =>
        clear(
          { change: "columns", resource: one.id, fields: found.map(({ field }) => field.name) },
          `${one.plural} show ${listed(found.map(({ label }) => inQuotes(label)))} and no other column`,
        ),
      );
    });
  },
};

/** Where there is one list, it needs no name. */
function onlyList({ vocabulary, recent }: Talk): Choice<Resource> {
  const [first, ...others] = recent ? [recent] : vocabulary.lists;
  if (first && others.length === 0) return { kind: "sure", value: first };
  const options = vocabulary.lists.slice(0, 6).map((value) => ({ label: value.plural, value }));
  return { kind: "open", question: "Which list do you mean?", options };
}

const placed: Rule = {
  says: [
    way(
      "MOVE(?: the)? (?<field>.+?)(?: COLUMN)? (?:to (?:the )?|at (?:the )?|as (?:the )?|in (?:the )?|be )?(?:very )?(?<end>first|front|start|beginning|left|leftmost|last|end|back|right|rightmost)(?: (?:COLUMN|position|place|in line|of the (?:list|table)))?(?: (?:in|on|of|for)(?: the)? (?<list>.+))?",
    ),
    way(
      "(?:the )?(?<field>.+?)(?: COLUMN)? (?:should|must) (?:come|be|go|stand)(?: the| at the| as the)? (?<end>first|front|start|left|last|end|right)(?: COLUMN)?(?: (?:in|on|of|for)(?: the)? (?<list>.+))?",
    ),
    way(
      "MOVE(?: the)? (?<field>.+?)(?: COLUMN)? (?<side>before|after|in front of|ahead of|behind|left of|right of|to the left of|to the right of|next to)(?: the)? (?<other>.+?)(?: COLUMN)?(?: (?:in|on|of|for)(?: the)? (?<list>.+))?",
    ),
    way("(?<field>.+?) (?<end>first|last)(?: (?:in|on|of|for)(?: the)? (?<list>.+))?"),
  ],
  means: ({ field = "", end, side, other = "", list }, talk) =>
    ofField(columnMeant(talk, list ? `${field} in ${list}` : field), (meant) => {
      if (end) return put(meant, /first|front|start|begin|left/i.test(end) ? "first" : "last");
      const { resource } = meant;
      const among = resource ? `${other} in ${resource.plural}` : other;
      return chosen(columnMeant({ ...talk, everywhere: resource === undefined }, among), (next) => {
        const isBefore = /before|front|ahead|left/i.test(side ?? "");
        const name = next.found.field.name;
        return put(
          meant,
          isBefore ? { before: name } : { after: name },
          `${isBefore ? "before" : "after"} ${inQuotes(next.found.label)}`,
        );
      });
    }),
};

function put(meant: Meant, place: Place, words = typeof place === "string" ? place : ""): Understood {
  const wish: Wish = { change: "columnPlace", ...about(meant.resource), field: meant.found.field.name, place };
  return clear(wish, `The column ${inQuotes(meant.found.label)} comes ${words} ${where(meant)}`);
}

const shown: Rule = {
  says: [
    way("(?<hide>HIDE)(?: the)? (?<field>.+?)(?: (?:everywhere|completely|entirely))?"),
    way("(?:SHOW)(?: the)? (?<field>.+?)(?: (?:again|too|as well|also))?"),
  ],
  means: ({ hide, field = "" }, talk) => {
    if (/\b(?:button|action|search|filter|box|bar|chart|page|menu|navigation)s?$/i.test(field)) return undefined;
    return ofEach(talk, field, (meant) =>
      hide === undefined
        ? column(meant, true)
        : clear(
            { change: "fieldShown", ...about(meant.resource), field: meant.found.field.name, shown: false },
            `${inQuotes(meant.found.label)} is hidden ${where(meant)}`,
            "in the list, on the page of a record and in forms that can do without it",
          ),
    );
  },
};

export const columnRules: Rule[] = [partly, columnsShown, only, placed];
/** Tried last: "hide x" could be anything. */
export const plainColumnRules: Rule[] = [shown];
