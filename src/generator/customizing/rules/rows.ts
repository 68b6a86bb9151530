import type { Json, Resource } from "../../kit/descriptor.ts";
import {
  bare,
  fieldMeant,
  fieldOf,
  inQuotes,
  isAll,
  listMeant,
  placeName,
  resourceMeant,
  unquoted,
} from "../phrases.ts";
import { type Rule, way } from "../rule.ts";
import { chosen, clear, declined, type Understood } from "../understood.ts";
import type { FoundField } from "../vocabulary.ts";
import { about, ofEach, where } from "./columns.ts";
import { typedDefault } from "./fields.ts";

// Which rows a list has, and how a person finds some of them.

const wholeWords = (text: string) => bare(text, /\s+(?:lists?|tables?|pages?|rows?|records?)$/i);

/** "available pets": a value, and what has it. */
const narrowed: Rule = {
  says: [
    way(
      "(?:SHOW|list|have|keep)? ?(?:only|just|nothing but)(?: (?:show|display|list))?(?: the)? (?<value>.+?) (?<list>[\\p{L}-]+(?: [\\p{L}-]+)?)",
    ),
    way("(?:SHOW|list|have|keep)(?: the)? (?<value>.+?) (?<list>[\\p{L}-]+(?: [\\p{L}-]+)?) only"),
    way(
      "(?<not>HIDE|exclude|filter out)(?: the| all)? (?<value>.+?) (?<list>[\\p{L}-]+(?: [\\p{L}-]+)?)(?: by default)?",
    ),
    way(
      "(?:SHOW|list|have|keep)? ?(?:only|just)?(?: show| list)?(?: the)? ?(?<list>.+?) (?:that|which|who) (?:are|is)(?<negated> not)? (?<value>.+?)",
    ),
    way("(?<not>HIDE|exclude|filter out)(?: the| all)? (?<list>.+?) (?:that|which|who) (?:are|is) (?<value>.+?)"),
  ],
  means: ({ value = "", list = "", not, negated }, { vocabulary }) => {
    const resources = vocabulary
      .resourcesNamed(wholeWords(list))
      .filter(({ nearness }) => nearness <= 1)
      .map(({ it }) => it);
    if (resources.length !== 1) return undefined;
    const options = vocabulary.optionsNamed(value, resources);
    const [resource] = resources;
    const [found] = options;
    if (!resource) return undefined;
    if (found && options.length === 1) {
      const { field, label, option } = found.it;
      return only(resource, { resource, field, label }, [option.value], option.label, Boolean(not ?? negated));
    }
    const flags = vocabulary.fieldsNamed(value, resources).filter(({ it }) => it.field.kind === "boolean");
    const [flag] = flags;
    return flag && flags.length === 1 ? only(resource, flag.it, [true], "yes", Boolean(not ?? negated)) : undefined;
  },
};

const conditions: Rule = {
  says: [
    way(
      "(?:SHOW|list|have|keep|limit)? ?(?:only|just)?(?: show| list)?(?: the)? ?(?<list>.+?) (?:with|having|of)(?: an?| the| their)? (?<field>[\\p{L}]+) (?<value>[\"“']?[\\p{L}\\p{N}-]+[\"”']?)",
    ),
    way(
      "(?:SHOW|list|have|keep|limit)? ?(?:only|just)?(?: show| list)?(?: the)? ?(?<list>.+?) (?:where|whose|with|having|to those (?:where|whose|with))(?: an?| the| their)? (?<field>.+?) (?:is|are|=|equals|of|being)(?<negated> not)? (?<value>.+)",
    ),
    way(
      "(?<not>HIDE|exclude|filter out)(?: the| all)? (?<list>.+?) (?:where|whose|with|having)(?: an?| the| their)? (?<field>.+?) (?:is|are|=|equals|of) (?<value>.+)",
    ),
    way(
      "(?:filter|limit|narrow|restrict)(?: the)? (?<list>.+?) (?:to|by)(?: those with)?(?: the)? (?<field>.+?) (?:is|=|equals|of|being|set to) (?<value>.+)",
    ),
  ],
  means: ({ list = "", field = "", value = "", not, negated }, talk) => {
    const resource = resourceMeant(talk, list);
    if (resource.kind === "none") return undefined;
    if (resource.kind === "sure" && fieldOf(talk, resource.value, field).kind === "none") return undefined;
    return chosen(resource, (one) =>
      chosen(fieldOf(talk, one, field), (found) => {
        const texts = unquoted(value).split(/\s+or\s+|\s*,\s*(?:or\s+)?/);
        const values = texts.flatMap((text) => typedDefault(found.field, unquoted(text)) ?? []);
        if (values.length < texts.length)
          return declined(
            `${inQuotes(value)} is no value of ${inQuotes(found.label)} of ${one.plural}${choices(found)}.`,
          );
        return only(one, found, values, texts.join(" or "), Boolean(not ?? negated));
      }),
    );
  },
};

const choices = ({ field }: FoundField) =>
  field.options ? `; it can be ${field.options.map(({ label }) => label).join(", ")}` : "";

function only(
  resource: Resource,
  { field, label }: FoundField,
  values: Json[],
  words: string,
  isNot: boolean,
): Understood {
  return clear(
    { change: "rows", resource: resource.id, field: field.name, values, ...(isNot ? { not: true } : {}) },
    `${resource.plural} are listed only where ${inQuotes(label)} is ${isNot ? "not " : ""}${inQuotes(words)}`,
  );
}

const allAgain: Rule = {
  says: [
    way("(?:SHOW|list|display)(?: me)? all(?: of)?(?: the)? (?<list>.+?)(?: again)?"),
    way("(?:don'?t|do not|stop) (?:filter(?:ing)?|narrow(?:ing)?|limit(?:ing)?)(?: the)? (?<list>.+?)(?: any ?more)?"),
  ],
  means: ({ list = "" }, { vocabulary }) => {
    const near = vocabulary.resourcesNamed(wholeWords(list)).filter(({ nearness }) => nearness === 0);
    const [found] = near;
    if (!found || near.length > 1) return undefined;
    return clear({ change: "allRows", resource: found.it.id }, `All ${found.it.plural} are listed`);
  },
};

const searches: Rule = {
  says: [
    way(
      "(?<off>HIDE|disable|turn off|without)(?: the| any)? search(?:ing)?(?: ?(?:bar|box|field|input))?(?: (?:in|on|of|for|from|to)(?: the)? (?<list>.+))?",
    ),
    way(
      "(?:add|SHOW|enable|MAKE|i want|i need|have|put|turn on|create)(?: an?| the| me)? search(?:ing)?(?: ?(?:bar|box|field|input|function))?(?: (?:in|on|of|for|to|above|over)(?: the)? (?<list>(?!filter|search|find).+?))?(?:,? (?:to |that |which )?(?:(?:filters?|search(?:es)?|finds?)(?:(?: the)? (?:results?|rows?|records?|lists?|(?<list2>.+?)))?|for(?: the)? results?)? ?by(?: their| its| the)? (?<fields>.+?))?",
    ),
    way(
      "(?:let|allow|make it possible|enable)(?: (?:me|us|people|users|to|for))* (?:to )?search(?:ing)?(?: (?:in|for|through|of))?(?: the)? (?<list>(?!by ).+?)(?: (?:by|in)(?: their| its)? (?<fields>.+?))?",
    ),
    way("(?:make)(?: the)? (?<list>.+?) searchable(?: (?:by|in)(?: their| its)? (?<fields>.+?))?"),
    way("search(?: (?:in|for|through))?(?: the)? (?<list>.+?) by(?: their| its)? (?<fields>.+)"),
    way(
      "(?:let|allow|enable)(?: (?:me|us|people|users|to|for))* (?:to )?search(?:ing)? by(?: their| its)? (?<fields>.+)",
    ),
  ],
  means: ({ off, list, list2, fields }, talk) => {
    const named = list ?? list2;
    if (off) {
      return chosen(listMeant(talk, named, "should have no search"), (resource) =>
        clear({ change: "search", ...about(resource), on: false }, `${placeName(resource)} have no search box`),
      );
    }
    if (named === undefined && fields !== undefined && !talk.everywhere) {
      return chosen(fieldMeant(talk, fields), ({ resource, found }) => searchable(resource, [found]));
    }
    return chosen(listMeant(talk, named, "should get a search box"), (resource) => {
      if (fields === undefined || !resource) return searchable(resource, []);
      return chosen(fieldOf(talk, resource, fields), (found) => searchable(resource, [found]));
    });
  },
};

function searchable(resource: Resource | undefined, found: FoundField[]): Understood {
  const fields = found.map(({ field }) => field.name);
  const by = found.length > 0 ? ` that looks at ${found.map(({ label }) => inQuotes(label)).join(" and ")}` : "";
  const note = found.length > 0 || !resource?.lists[0]?.search ? ["it searches in the rows that are loaded"] : [];
  return clear(
    { change: "search", ...about(resource), on: true, ...(fields.length > 0 ? { fields } : {}) },
    `${resource?.plural ?? "All lists"} have a search box${by}`,
    ...note,
  );
}

const filters: Rule = {
  says: [
    way("(?<off>HIDE|disable)(?: the)? (?<field>.+?) filters?(?: (?:in|on|of|for|from)(?: the)? (?<list>.+))?"),
    way(
      "(?<off>HIDE|disable)(?: the)? filters? (?:for|by|on)(?: the)? (?<field>.+?)(?: (?:in|on|of)(?: the)? (?<list>.+))?",
    ),
    way(
      "(?:add|SHOW|MAKE|i want|have|put)(?: an?| the| me)? (?:filters?|drop-?down) (?:for|by|on|with)(?: the| their)? (?<field>.+?)(?: (?:in|on|of|to|for)(?: the)? (?<list>.+))?",
    ),
    way(
      "(?:add|SHOW|MAKE|i want|have|put)(?: an?| the| me)? (?<field>.+?) filters?(?: (?:in|on|of|to|for)(?: the)? (?<list>.+))?",
    ),
    way(
      "(?:let|allow|enable)(?: (?:me|us|people|users|to))* (?:to )?filter(?:ing)?(?: (?:of|the))? (?<list>.+?) by(?: their| its)? (?<field>.+)",
    ),
    way("(?:make)(?: the)? (?<list>.+?) filterable by(?: their| its)? (?<field>.+)"),
    way("filter(?: the)? (?<list>.+?) by(?: their| its)? (?<field>.+)"),
  ],
  means: ({ off, field = "", list }, talk) => {
    const text = list && !isAll(list) ? `${field} in ${list}` : field;
    if (fieldMeant(talk, text).kind === "none" && list === undefined) return undefined;
    return ofEach(talk, text, (one) =>
      clear(
        { change: "filter", ...about(one.resource), field: one.found.field.name, on: off === undefined },
        `There is ${off ? "no" : "a"} filter by ${inQuotes(one.found.label)} ${where(one)}`,
      ),
    );
  },
};

export const rowRules: Rule[] = [searches, conditions, filters, narrowed, allAgain];
