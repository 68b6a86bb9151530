import type { RecordOperation } from "../../kit/customizing/customization.ts";
import type { Resource } from "../../kit/descriptor.ts";
import { actionMeant, inQuotes, isAll, resourceMeant, type Talk, unquoted } from "../phrases.ts";
import { type Rule, way } from "../rule.ts";
import { type Choice, chosen, clear, type Understood } from "../understood.ts";
import { about } from "./columns.ts";

// What can be done, and what is asked before.

const verbs: [RecordOperation, RegExp][] = [
  ["remove", /^(?:delet(?:e|es|ing|ions?)|remov(?:e|es|ing|al)|destroy(?:ing)?)$/i],
  ["create", /^(?:creat(?:e|es|ing|ion)|add(?:s|ing)?|new|insert(?:ing)?)$/i],
  ["update", /^(?:updat(?:e|es|ing)|edit(?:s|ing)?|chang(?:e|es|ing)|modif(?:y|ies|ying)|sav(?:e|es|ing))$/i],
];

const operationOf = (word: string) => verbs.find(([, pattern]) => pattern.test(word.trim()))?.[0];
const wordOf: Record<RecordOperation, string> = { create: "Creating", update: "Editing", remove: "Deleting" };

const deed =
  "delet(?:e|es|ing|ion)|remov(?:e|es|ing|al)|destroy(?:ing)?|creat(?:e|ing|ion)|adding|add|new|insert(?:ing)?|updat(?:e|ing)|edit(?:ing)?|chang(?:e|ing)|modify(?:ing)?|sav(?:e|ing)";
const thing = "(?: (?:an?|the|any|new|of|some|all)\\b)* ?(?<list>.+?)?";

/** No list is named: it holds for all of them. */
function whole(talk: Talk, list: string | undefined): Choice<Resource | undefined> {
  const text = list?.trim() ?? "";
  const isAny =
    text === "" ||
    isAll(text) ||
    /^(?:it|them|anything|something|everything|records?|things?|items?|entries|rows?|changes?)$/i.test(text);
  return isAny || talk.everywhere ? { kind: "sure", value: undefined } : resourceMeant(talk, text);
}

const confirms: Rule = {
  says: [
    way(
      `(?:confirm|double-?check)(?: all| every| each)? (?<deed>deletes?|deletions?|deleting|creation|creating|edits?|editing|saves?|saving)${thing}`,
    ),
    way(
      `(?:ask|confirm|prompt|warn|double-?check|check)(?: (?:me|us|people|users|for confirmation|for a confirmation|first|again|with me))*(?: (?:before|when|prior to|on|for))(?: i| you| we| someone| people)? (?<deed>${deed})s?${thing}`,
    ),
    way(
      `(?:add|show|require|MAKE|have|i want|need)(?: an?| the)? (?:confirmation|confirm|confirm dialog|confirmation dialog|warning)(?: (?:dialog|prompt|step|message))?(?: (?:before|when|for|on|to|prior to))(?: i| you| we)? (?<deed>${deed})s?${thing}`,
    ),
    way(
      `(?<deed>${deed})${thing} (?:should|must|needs to|has to) (?:ask|be confirmed|need confirmation|require confirmation|ask for confirmation)(?: first)?`,
    ),
    way(
      `(?<off>don'?t|do not|never|stop|no)(?: (?:ask|asking|confirm|confirming|prompt|warn|need|confirmation|confirmations))+(?: (?:me|us|people|users|for confirmation|first))*(?: (?:before|when|on|for))(?: i| you| we)? (?<deed>${deed})s?${thing}`,
    ),
    way(`(?<deed>${deed})${thing} (?<off>without (?:asking|confirmation|a confirmation|confirming|a question))`),
    way(
      `(?<off>HIDE)(?: the)? (?:confirmation|confirm dialog|warning)(?: (?:before|when|for|on))(?: i| you| we)? (?<deed>${deed})s?${thing}`,
    ),
  ],
  means: ({ off, deed: word = "", list }, talk) => {
    const operation = operationOf(word);
    if (!operation) return undefined;
    const target = whole(talk, list);
    if (target.kind === "none") return undefined;
    return chosen(target, (resource) =>
      clear(
        { change: "operationConfirmed", ...about(resource), operation, ask: off === undefined },
        `${wordOf[operation]} ${resource?.plural ?? "records"} ${off ? "asks nothing" : "asks first"}`,
        ...(resource ? [] : ["in all lists, since none was named"]),
      ),
    );
  },
};

const actionsConfirmed: Rule = {
  says: [
    way(
      "(?:ask|confirm|prompt|warn|double-?check)(?: (?:me|us|for confirmation|first))*(?: (?:before|when|prior to))(?: running| using| doing| i)? (?<action>.+)",
    ),
    way(
      "(?<off>don'?t|do not|never)(?: (?:ask|confirm|prompt|warn))(?: (?:me|us))?(?: (?:before|when))(?: running| using| doing| i)? (?<action>.+)",
    ),
  ],
  means: ({ off, action = "" }, talk) => {
    const meant = actionMeant(talk, action);
    if (meant.kind === "none") return undefined;
    return chosen(meant, ({ resource, action: one }) =>
      clear(
        { change: "actionConfirmed", ...about(resource), action: one.id, ask: off === undefined },
        `${inQuotes(one.label)} ${off ? "asks nothing" : "asks first"}`,
      ),
    );
  },
};

const readOnly: Rule = {
  says: [
    way("(?:MAKE|set)(?: the)? (?<list>.+?)(?: (?:to|be|as))? (?:read-? ?only|view-? ?only|not editable)"),
    way("(?:read-? ?only|view-? ?only)(?: (?:mode|access))?(?: (?:for|on|in)(?: the)? (?<list>.+))?"),
    way("(?<list>.+?) (?:should|must) be (?:read-? ?only|view-? ?only)"),
  ],
  means: ({ list }, talk) => {
    const target = whole(
      talk,
      list?.replace(/^the (?:interface|app|ui|whole (?:thing|app|interface))$/i, "everything"),
    );
    if (target.kind === "none") return undefined;
    return chosen(target, (resource) => {
      const has = (operation: RecordOperation) =>
        (resource ? [resource] : talk.vocabulary.resources).some((one) => one[operation]);
      const offered = (["create", "update", "remove"] as const).filter(has);
      return clear(
        offered.map((operation) => ({
          change: "operationOffered" as const,
          ...about(resource),
          operation,
          offered: false,
        })),
        `${resource?.plural ?? "All records"} can only be looked at`,
        ...(resource?.actions.length ? ["their own actions stay"] : []),
      );
    });
  },
};

const offered: Rule = {
  says: [
    way(
      `(?<off>HIDE|disable)(?: the)? (?:ability|possibility|option|way|right|permission) (?:to|of|for) (?<deed>${deed})${thing}`,
    ),
    way(
      `(?:users?|people|one|you|we|i|nobody|no one|anyone)? ?(?<off>should not|shouldn'?t|must not|mustn'?t|can'?t|cannot|may not|should never)(?: (?:be able|be allowed))?(?: to)? (?<deed>${deed})${thing}`,
    ),
    way(
      `(?<off>HIDE|disable|disallow|forbid|prevent|prohibit|turn off|without|block)(?: the| an?)? (?<deed>${deed})(?: (?:button|option|action|link|function|form|possibility)s?)?(?: (?:in|on|of|for|from|to))?${thing}`,
    ),
    way(
      `(?<off>don'?t|do not|never|nobody should|no one should)(?: (?:allow|let|be able|permit|offer))*(?: (?:me|us|people|users|anyone|anybody|to))*(?: to)? (?<deed>${deed})${thing}`,
    ),
    way(
      `(?:SHOW|enable|allow|permit|offer|let(?: (?:me|us|people|users))?)(?: the| an?| to)? (?<deed>${deed})(?: (?:button|option|action|link|function|form)s?)?(?: (?:in|on|of|for|from|to))?${thing}(?: again)?`,
    ),
  ],
  means: ({ off, deed: word = "", list }, talk) => {
    const operation = operationOf(word);
    if (!operation || (list && /\b(?:column|field|filter|search|page)s?$/i.test(list))) return undefined;
    const target = whole(talk, list?.replace(/^(?:button|option|action|link)s?$/i, ""));
    if (target.kind === "none") return undefined;
    return chosen(target, (resource) =>
      clear(
        { change: "operationOffered", ...about(resource), operation, offered: off === undefined },
        `${wordOf[operation]} ${resource?.plural ?? "records"} is ${off ? "not " : ""}offered`,
        ...(resource ? [] : ["in all lists, since none was named"]),
      ),
    );
  },
};

const operationLabels: Rule = {
  says: [
    way(
      `(?:CALL|change)(?: the)?(?: (?:label|text|name)(?: of| on)?)?(?: the)? (?<deed>${deed})(?: (?<list>[\\p{L} ]+?))? (?:button|link|action)s?(?: (?:in|on|of|for)(?: the)? (?<list2>.+?))?(?: (?:to|as|into|=))? (?<label>["“'].+|[\\p{L}\\d +-]+)`,
    ),
    way(`(?:the )?(?<deed>${deed}) button (?:should|must) (?:say|read|be called|be labell?ed) (?<label>.+)`),
  ],
  means: ({ deed: word = "", list, list2, label = "" }, talk) => {
    const operation = operationOf(word);
    const text = unquoted(label);
    if (!operation || text === "" || text.length > 40) return undefined;
    const target = whole(talk, list2 ?? list);
    if (target.kind === "none") return undefined;
    return chosen(target, (resource) =>
      clear(
        { change: "operationLabel", ...about(resource), operation, label: text },
        `The button for ${wordOf[operation].toLowerCase()} ${resource?.plural ?? "records"} says ${inQuotes(text)}`,
      ),
    );
  },
};

const actionsOffered: Rule = {
  says: [
    way(
      "(?<off>HIDE|disable)(?: the)? (?<action>.+?) (?:actions?|buttons?|operations?|commands?|links?)(?: (?:in|on|of|from)(?: the)? (?<list>.+))?",
    ),
    way("(?:SHOW|enable)(?: the)? (?<action>.+?) (?:actions?|buttons?|operations?|commands?|links?)(?: again)?"),
    way("(?<off>HIDE|disable)(?: the)? (?<action>[\"“'].+[\"”']|.+)"),
  ],
  means: ({ off, action = "" }, talk) => {
    const meant = actionMeant(talk, action);
    if (meant.kind === "none") return undefined;
    return chosen(meant, (found) => offer(found, off === undefined));
  },
};

function offer(
  { resource, action }: { resource?: Resource; action: { id: string; label: string } },
  isOffered: boolean,
): Understood {
  return clear(
    { change: "actionOffered", ...about(resource), action: action.id, offered: isOffered },
    `${inQuotes(action.label)} is ${isOffered ? "" : "not "}offered${resource ? ` for ${resource.plural}` : ""}`,
  );
}

const actionLabels: Rule = {
  says: [
    way(
      "(?:CALL|change)(?: the)? (?<action>.+?)(?: (?:action|button|operation|command|link))? (?:to|as|into|->|=>|=) (?<label>.+)",
    ),
  ],
  means: ({ action = "", label = "" }, talk) => {
    const meant = actionMeant(talk, action);
    const text = unquoted(label);
    if (meant.kind === "none" || text === "" || text.length > 60) return undefined;
    return chosen(meant, ({ resource, action: one }) =>
      clear(
        { change: "actionLabel", ...about(resource), action: one.id, label: text },
        `${inQuotes(one.label)} is called ${inQuotes(text)}`,
      ),
    );
  },
};

export const doingRules: Rule[] = [confirms, readOnly, operationLabels, offered];
/** Tried after fields and resources: an action may have any name. */
export const actionRules: Rule[] = [actionsConfirmed, actionLabels, actionsOffered];
