import type { Resource } from "../../kit/descriptor.ts";
import { capitalized } from "../../understanding/names.ts";
import { pluralOf, singularOf } from "../../understanding/plurals.ts";
import { bare, inQuotes, isAll, resourceMeant, type Talk, unquoted } from "../phrases.ts";
import { type Rule, way } from "../rule.ts";
import { chosen, clear, together, type Understood } from "../understood.ts";

// Which resources there are to be seen, in which order, and what they are called.

const listWords = /\s+(?:lists?|tables?|pages?|views?|screens?|sections?|tabs?|resources?|links?|entry|menu item)$/i;

/** Only what is plainly a resource: the same words could name a field. */
const isResource = ({ vocabulary }: Talk, text: string) =>
  vocabulary.resourcesNamed(bare(text, listWords)).some(({ nearness }) => nearness === 0);

const homes: Rule = {
  says: [
    way(
      "(?:start|begin|open|land)(?: it| the app| the interface)?(?: (?:on|with|at|in|by showing|to))(?: the)? (?<resource>.+?)(?: (?:page|list|first|by default))*",
    ),
    way(
      "(?:MAKE)(?: the)? (?<resource>.+?)(?: (?:page|list))? (?:as |be )?(?:the|my)(?: new)? (?:home|start|landing|first|default|main)(?: ?(?:page|screen|view))",
    ),
    way(
      "(?:the )?(?:home|start|landing|first|default) ?(?:page|screen|view)?(?: should be| is)(?: the)? (?<resource>.+?)(?: (?:page|list))?",
    ),
  ],
  means: ({ resource = "" }, talk) => {
    if (/^(?:dashboard|overview|home|start)$/i.test(bare(resource, listWords)))
      return clear({ change: "home" }, "The dashboard is seen first");
    return chosen(resourceMeant(talk, resource), ({ id, plural }) =>
      clear({ change: "home", resource: id }, `${plural} are seen first`),
    );
  },
};

const shown: Rule = {
  says: [
    way("(?<hide>HIDE)(?: the)? (?<resource>.+?)(?: (?:from|in))(?: the)? (?:NAV|dashboard|home ?page|app|interface)"),
    way("(?<hide>HIDE)(?: the)? (?<resource>.+?) (?:page|section|resource|tab|screen|menu item|menu entry)"),
    way("(?:SHOW)(?: the)? (?<resource>.+?)(?: again)?(?: (?:from|in|to|on))(?: the)? (?:NAV)(?: again)?"),
    way("(?<hide>HIDE)(?: the)? (?<resource>.+)"),
    way("(?:unhide|bring back|restore|put back|SHOW)(?: the)? (?<resource>.+?)(?: again| back)?"),
  ],
  means: ({ hide, resource = "" }, talk) => {
    if (isAll(resource) || / only$/i.test(resource) || !isResource(talk, resource)) return undefined;
    return chosen(resourceMeant(talk, resource), ({ id, plural }) =>
      clear(
        { change: "resourceShown", resource: id, shown: hide === undefined },
        hide ? `${plural} are no longer in the navigation` : `${plural} are in the navigation`,
      ),
    );
  },
};

const places: Rule = {
  says: [
    way(
      "MOVE(?: the)? (?<resource>.+?)(?: (?:page|section|link|entry))? (?:to (?:the )?|at (?:the )?|as (?:the )?)?(?<end>first|top|start|beginning|last|bottom|end)(?: (?:of|in|on)(?: the)? NAV| item| entry| position)*",
    ),
    way(
      "MOVE(?: the)? (?<resource>.+?) (?<side>before|above|after|below|behind|under|over|in front of|ahead of)(?: the)? (?<other>.+?)(?: in(?: the)? NAV)?",
    ),
  ],
  means: ({ resource = "", end, side, other }, talk) => {
    if (!isResource(talk, resource)) return undefined;
    return chosen(resourceMeant(talk, resource), (moved) => {
      if (end) return placed(moved, /first|top|start|begin/i.test(end) ? "first" : "last");
      return chosen(resourceMeant(talk, other ?? ""), ({ id, plural }) => {
        const isBefore = /before|above|over|front|ahead/i.test(side ?? "");
        return clear(
          { change: "resourcePlace", resource: moved.id, place: isBefore ? { before: id } : { after: id } },
          `${moved.plural} come ${isBefore ? "before" : "after"} ${plural} in the navigation`,
        );
      });
    });
  },
};

const placed = ({ id, plural }: Resource, place: "first" | "last") =>
  clear({ change: "resourcePlace", resource: id, place }, `${plural} come ${place} in the navigation`);

const groups: Rule = {
  says: [
    way(
      "(?:MOVE|group|sort|file)(?: the)? (?<resource>.+?) (?:under|into|in|below|together (?:as|under))(?: the)?(?: (?:a )?(?:group|section|heading|category))(?: (?:called|named))? (?<group>.+)",
    ),
    way("(?:MOVE|group|file)(?: the)? (?<resource>.+?) (?:under|together (?:as|under|in)) (?<group>[^,]+)"),
  ],
  means: ({ resource = "", group = "" }, talk) => {
    const heading = unquoted(group);
    const names = resource.split(/\s*,\s*(?:and\s+)?|\s+and\s+/);
    if (heading === "" || !names.every((name) => isResource(talk, name)) || isResource(talk, heading)) return undefined;
    const moves = names.map(
      (name) => () =>
        chosen(resourceMeant(talk, name), ({ id, plural }) =>
          clear(
            { change: "resourceGroup", resource: id, group: capitalized(heading) },
            `${plural} are under ${inQuotes(capitalized(heading))}`,
          ),
        ),
    );
    return inTurn(moves);
  },
};

const inTurn = (parts: (() => Understood)[]): Understood | undefined =>
  parts.reduce<Understood | undefined>((before, part) => (before ? together(before, part) : part()), undefined);

const names: Rule = {
  says: [
    way(
      "(?:CALL|change)(?: the)?(?: (?:resource|section|list|page|label|name|title|word)(?: of| for)?)?(?: the)? (?<resource>.+?)(?: (?:to|as|into|->|=>|=)) (?<name>.+)",
    ),
    way("(?:call|name)(?: the)? (?<resource>[\\w-]+) (?<name>[\\w-]+)"),
    way("(?:call|name)(?: the)? (?<resource>[\\w -]+) (?<name>[\"“'].+)"),
    way(
      "(?<resource>.+?) (?:should|must|shall|ought to|are to|is to) be (?:called|named|labell?ed|renamed to) (?<name>.+)",
    ),
    way("(?:say|write|use)(?: the word)? (?<name>.+?) (?:instead of|rather than) (?<resource>.+)"),
  ],
  means: ({ resource = "", name = "" }, talk) => {
    if (!isResource(talk, resource)) return undefined;
    const wanted = unquoted(name).replace(/\s+(?:everywhere|instead)$/i, "");
    if (wanted === "" || wanted.length > 60) return undefined;
    return chosen(resourceMeant(talk, resource), ({ id, name: before, plural }) => {
      const one = capitalized(singularOf(wanted));
      const many = capitalized(pluralOf(one));
      return clear(
        { change: "resourceName", resource: id, name: one, plural: many },
        `${inQuotes(before)} is called ${inQuotes(one)}, and ${inQuotes(plural)} ${inQuotes(many)}`,
      );
    });
  },
};

const texts: Rule = {
  says: [
    way(
      '(?:add|set|write|put|SHOW)(?: an?| the)? (?:description|intro(?:duction)?|explanation|text|note|hint)(?: (?:to|for|on|of|above|at the top of))(?: the)? (?<resource>[^:"“]+?)(?: (?:list|page))?(?: (?:saying|that says|to|as|reading))?:? (?<text>["“\'].+|.+)',
    ),
    way("describe(?: the)? (?<resource>.+?) as:? (?<text>.+)"),
  ],
  means: ({ resource = "", text = "" }, talk) => {
    if (!isResource(talk, resource)) return undefined;
    return chosen(resourceMeant(talk, resource), ({ id, plural }) =>
      clear(
        { change: "resourceText", resource: id, text: unquoted(text) },
        `${plural} are introduced with ${inQuotes(text)}`,
      ),
    );
  },
};

const figure = "(?:charts?|graphs?|figures?|summar(?:y|ies)|widgets?|cards?|stats?|statistics|numbers|bars?)";
const dashboard = "(?:on|from|in|to)(?: the)? (?:dashboard|home ?page|overview|start page)";

const summaries: Rule = {
  says: [
    way(`(?<hide>HIDE)(?: the)? (?:(?<summary>.+?) )?${figure}(?: ${dashboard})?`),
    way(`(?<hide>HIDE)(?: the)? (?<summary>.+?) ${dashboard}`),
    way(`(?:SHOW)(?: the)? (?:(?<summary>.+?) )?${figure}(?: ${dashboard})?(?: again)?`),
    way(`(?:SHOW)(?: the)? (?<summary>.+?) ${dashboard}(?: again)?`),
  ],
  means: ({ hide, summary = "" }, { vocabulary }) => {
    const near = vocabulary.summariesNamed(summary);
    const isAny = summary === "" || /^(?:dashboard|home ?page|overview)$/i.test(summary);
    const all = isAny ? vocabulary.summaries : near.map(({ it }) => it);
    const [one] = all;
    if (!one || all.length > 1) return undefined;
    return clear(
      { change: "summaryShown", summary: one.id, shown: hide === undefined },
      `${inQuotes(one.label)} is ${hide ? "not " : ""}on the dashboard`,
    );
  },
};

export const navigationRules: Rule[] = [homes, texts, groups, places, names, shown, summaries];
