import type { Resource } from "../../kit/descriptor.ts";
import { bare, fieldMeant, fieldOf, inQuotes, isAll, listMeant, type Meant, placeName, type Talk } from "../phrases.ts";
import { type Rule, way } from "../rule.ts";
import { type Choice, chosen, clear, declined, type Understood } from "../understood.ts";
import { fieldsOf } from "../vocabulary.ts";
import { about, columnMeant, ofField } from "./columns.ts";

// How lists show their rows: as what, in which order, how many at once.

const views: Rule = {
  says: [
    way(
      "(?:MAKE|list|see|view|present|turn|convert|lay out)(?: the)? (?<list>.+?)(?: (?:as|in|into|to|with|like|look like|look as))(?: an?| the)? (?<view>cards?|tiles?|grid|gallery|card view|card grid|card layout|tables?|rows|list|plain table|table view|list view)(?: (?:view|layout))?(?: instead)?(?: (?:of|rather than)(?: an?| the)? (?:tables?|cards?|rows|list))?",
    ),
    way(
      "(?:MAKE|list|i want|i prefer|switch to)(?: (?:the|a|to))* ?(?<view>cards?|tiles?|grid|gallery|card view|card layout|tables?|table view)(?: (?:view|layout))?(?: (?:for|on|in)(?: the)? (?<list>.+?))?(?: (?:instead of|rather than|not)(?: an?| the)? (?<plural>tables?|cards?|rows|lists?))?(?: (?:for|on|in)(?: the)? (?<list2>.+?))?",
    ),
    way(
      "(?:an? )?(?<view>cards?|tiles?|grid|gallery|tables?)(?: (?:view|layout))?(?: instead of(?: an?| the)? (?<plural>tables?|cards?|rows|lists?))?(?: (?:for|on|in)(?: the)? (?<list>.+?))?",
    ),
    way("(?:MAKE |list )?(?:it |them )?as (?:a )?(?<view>cards?|tiles?|grid|gallery|tables?)"),
    way("(?<list>.+?) (?:as|in)(?: an?)? (?<view>cards?|tiles?|grid|gallery|tables?)"),
  ],
  means: ({ list, list2, view = "", plural }, talk) => {
    const named = list ?? list2 ?? (plural && /s$/.test(plural) ? "all lists" : undefined);
    if (named !== undefined && !isList(talk, named)) return undefined;
    const isCards = !/table|row|list/i.test(view);
    return chosen(listMeant(talk, named, `should be shown as ${isCards ? "cards" : "a table"}`), (resource) =>
      clear(
        { change: "view", ...about(resource), view: isCards ? "cards" : "table" },
        `${capitalName(resource)} are shown as ${isCards ? "cards" : resource ? "a table" : "tables"}`,
      ),
    );
  },
};

/** What could be a list at all: otherwise the words were meant for a field. */
function isList({ vocabulary }: Talk, text: string): boolean {
  return (
    isAll(text) || /^(?:it|this|that|them)$/i.test(text) || vocabulary.resourcesNamed(bare(text, listNouns)).length > 0
  );
}

const listNouns = /\s+(?:lists?|tables?|pages?|views?|screens?|sections?)$/i;

const capitalName = (resource: Resource | undefined) => resource?.plural ?? "All lists";

const boards: Rule = {
  says: [
    way(
      "(?:MAKE|see|view|turn|organi[sz]e)(?: the)? (?<list>.+?)(?: (?:as|in|into|on|with))(?: an?)? (?:kanban|board|kanban board|columns|swimlanes)(?: (?:by|per|for each|grouped by|with a column (?:for|per)(?: each)?)(?: their| its)? (?<field>.+?))?",
    ),
    way("(?:kanban board|kanban|board)(?: (?:view|for|of))*(?: the)? (?<list>.+?)(?: by (?<field>.+?))?"),
    way("(?:group|split)(?: the)? (?<list>.+?) (?:by|per)(?: their| its)? (?<field>.+)"),
  ],
  means: ({ list, field }, talk) =>
    chosen(listMeant(talk, list, "should be a board"), (resource) => {
      if (!resource) return declined("A board needs one list. Say which, such as “show orders as a board by status”.");
      return chosen(boardField(talk, resource, field), (by) =>
        clear(
          { change: "view", resource: resource.id, view: "board", by: by.field.name },
          `${resource.plural} are shown as a board by ${inQuotes(by.label)}`,
        ),
      );
    }),
};

/** The one with a few values, if none is named. */
function boardField(
  talk: Talk,
  resource: Resource,
  text: string | undefined,
): Choice<ReturnType<typeof fieldsOf>[number]> {
  if (text !== undefined) return fieldOf(talk, resource, text);
  const few = fieldsOf(resource).filter(({ field }) => field.kind === "enum" || field.kind === "boolean");
  const enums = few.filter(({ field }) => field.kind === "enum");
  const [first] = enums.length > 0 ? enums : few;
  if (!first)
    return { kind: "none", message: `${resource.plural} have no field with a few values to make a board of.` };
  if (enums.length < 2)
    return { kind: "sure", value: first, assumption: `one column for each ${inQuotes(first.label)}` };
  const options = enums.map((value) => ({ label: value.label, value }));
  return { kind: "open", question: `By what should the board of ${resource.plural} be divided?`, options };
}

const pageSizes: Rule = {
  says: [
    way(
      "(?:MAKE|list|load|limit(?: to)?|paginate(?: by)?|only|have)? ?(?:(?:the|only|up to|at most|to) )*(?<size>\\d{1,6}) ?(?:(?<list>[\\p{L} ]+?)(?: at once| at a time)? )?(?:per|a|an|on each|on a|on every|each|every|in a|/) ?(?:page|screen)(?: (?:for|in|on|of)(?: the)? (?<list2>.+))?",
    ),
    way(
      "(?:MAKE|change|set|increase|decrease|raise|lower|reduce)?(?: the)? ?(?:page ?size|rows per page|records per page|items per page|entries per page|number of (?:rows|records|items|entries)(?: per page)?)(?: (?:of|for|in|on)(?: the)? (?<list>.+?))?(?: (?:to|of|be|is|=|:))? (?<size>\\d{1,6})(?: (?:for|in|on)(?: the)? (?<list2>.+))?",
    ),
    way(
      "(?:MAKE|list|load)(?: the)?(?: first| only| just)* (?<size>\\d{1,6}) (?<list>[\\p{L} ]+?)(?: at once| at a time| per page| each)",
    ),
    way("(?:paginate|page)(?: (?:by|in|with|at))(?: pages of)? (?<size>\\d{1,6})"),
    way("(?:paginate|page)(?: the)? (?<list>.+?) (?:by|in|with|at)(?: pages of)? (?<size>\\d{1,6})"),
  ],
  means: ({ size = "", list, list2 }, talk) => {
    const plain = /^(?:rows?|records?|items?|entries|results?|things?|lines?)$/i;
    const named = [list2, list].find((one) => one !== undefined && !plain.test(one.trim()));
    const count = Number(size);
    if (count < 1 || count > 1000) return declined(`A page can have from 1 to 1000 rows, not ${size}.`);
    if (named === undefined)
      return clear(
        { change: "pageSize", size: count },
        `Lists show ${count} rows per page`,
        "in all lists, since none was named",
      );
    return chosen(listMeant(talk, named, "do you mean"), (resource) =>
      clear(
        { change: "pageSize", ...about(resource), size: count },
        `${capitalName(resource)} show ${count} rows per page`,
      ),
    );
  },
};

const down =
  "desc(?:ending)?|reversed?|high(?:est)? to low(?:est)?|z ?(?:to|-) ?a|newest (?:first|to oldest)|latest first|largest first|biggest first|highest first|most recent first|backwards|down(?:wards)?";
const up =
  "asc(?:ending)?|low(?:est)? to high(?:est)?|a ?(?:to|-) ?z|oldest first|smallest first|lowest first|alphabetically|alphabetical order|up(?:wards)?";

const orders: Rule = {
  says: [
    way(
      `(?:sort|order|arrange|rank)(?: the)? (?<list>.+?)(?: alphabetically)? (?:by|on|after|according to)(?: their| its| the)? (?<field>.+?)(?:,? ?(?:in )?\\(?(?:(?<down>${down})|(?<up>${up}))\\)?(?: order)?)?`,
    ),
    way(
      `(?:sort|order|arrange|rank)(?: it| them)? (?:by|on|after|according to)(?: their| its| the)? (?<field>.+?)(?:,? ?(?:in )?\\(?(?:(?<down>${down})|(?<up>${up}))\\)?(?: order)?)?(?: (?:in|on|for)(?: the)? (?<list>.+?))?`,
    ),
    way(
      `(?:MAKE|list)(?: the)? (?<list>.+?) (?:sorted|ordered)(?: by)?(?: their| its| the)? (?<field>.+?)(?:,? ?\\(?(?:(?<down>${down})|(?<up>${up}))\\)?)?`,
    ),
    way(
      "(?:sort|order|arrange|list|MAKE)(?: the)? (?<list>.+?) (?<alphabetical>alphabetically|in alphabetical order|from a to z|by alphabet)",
    ),
  ],
  means: ({ list, field, down: isDown, alphabetical }, talk) => {
    const then = ({ resource, found }: Meant): Understood =>
      ordered(resource, found.field.name, found.label, isDown !== undefined);
    if (alphabetical) {
      return chosen(listMeant(talk, list, "should be sorted"), (resource) => {
        if (!resource?.title) return declined(`Say by what ${placeName(resource)} should be sorted.`);
        const title = fieldsOf(resource).find((one) => one.field.name === resource.title);
        return ordered(resource, resource.title, title?.label ?? resource.title, false);
      });
    }
    if (list === undefined) return ofField(columnMeant(talk, field ?? ""), then);
    if (!isList(talk, list)) return undefined;
    return chosen(listMeant(talk, list, "should be sorted"), (resource) =>
      resource
        ? chosen(fieldOf(talk, resource, field ?? ""), (found) => then({ resource, found }))
        : ofField(fieldMeant({ ...talk, everywhere: true }, field ?? ""), then),
    );
  },
};

const ordered = (resource: Resource | undefined, field: string, label: string, descending: boolean) =>
  clear(
    { change: "order", ...about(resource), field, descending },
    `${capitalName(resource)} are sorted by ${inQuotes(label)}${descending ? ", the highest first" : ""}`,
  );

const times: Rule = {
  says: [
    way(
      "(?:MAKE|list|sort|order|i want)?(?: the)? ?(?<when>newest|latest|most recent|oldest)(?: (?<list>.+?))? (?:first|at the top|on top)",
    ),
    way(
      "(?:MAKE|list|sort|order)(?: the)? (?<list>.+?)(?: (?:with|by))?(?: the)? (?<when>newest|latest|most recent|oldest)(?: one| ones)?(?: (?:first|at the top|on top))?",
    ),
  ],
  means: ({ list, when = "" }, talk) => {
    if (list !== undefined && !isList(talk, list)) return undefined;
    return chosen(listMeant(talk, list, `should have its ${when.toLowerCase()} first`, false), (resource) => {
      if (!resource) return declined("Lists have different dates. Say which list, such as “newest orders first”.");
      return chosen(timeField(resource), (found) =>
        clear(
          { change: "order", resource: resource.id, field: found.field.name, descending: !/oldest/i.test(when) },
          `${resource.plural} are sorted by ${inQuotes(found.label)}, the ${when.toLowerCase()} first`,
        ),
      );
    });
  },
};

/** What tells when a record came to be, or else the only time that it has. */
function timeField(resource: Resource): Choice<ReturnType<typeof fieldsOf>[number]> {
  const isTime =
    /(?:^|[_\s-])(?:date|time|created|updated|edited|at|on)$|(?:Date|Time|At|On)$|^(?:created|date|timestamp)/;
  const times = fieldsOf(resource).filter(
    ({ field }) =>
      field.kind === "date" || field.kind === "dateTime" || (field.kind === "text" && isTime.test(field.name)),
  );
  const made = times.filter(({ field }) => /creat|added|posted/i.test(field.name));
  const [first] = made.length === 1 ? made : times;
  if (!first) return { kind: "none", message: `${resource.plural} have no date to sort by.` };
  if (made.length === 1 || times.length === 1)
    return { kind: "sure", value: first, assumption: `by ${inQuotes(first.label)}` };
  return {
    kind: "open",
    question: `By which date should ${resource.plural} be sorted?`,
    options: times.slice(0, 6).map((value) => ({ label: value.label, value })),
  };
}

export const listRules: Rule[] = [pageSizes, boards, times, orders, views];
