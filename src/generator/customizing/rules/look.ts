import { colorNamed } from "../colors.ts";
import { inQuotes, unquoted } from "../phrases.ts";
import { type Rule, way } from "../rule.ts";
import { clear, declined } from "../understood.ts";

// How the whole interface looks.

const themes: Rule = {
  says: [
    way(
      "(?:MAKE )?(?:(?:it|the (?:interface|app|ui|page|whole thing|theme|site|background)|everything)(?: (?:in|to|be|look))? )?(?:(?:to|on|in|into|the|a|with a) )*(?<theme>dark|light|night|day)(?: ?(?:mode|theme|colou?rs?|look|appearance|ui|interface|version))?",
    ),
    way(
      "(?:MAKE|enable|activate|turn on|switch on|i prefer|prefer) (?:(?:the|a|to|on) )*(?<theme>dark|light|night|day) ?(?:mode|theme|colou?rs?|look|appearance)?(?: on)?",
    ),
    way(
      "(?:disable|deactivate|turn off|switch off|no|HIDE) (?:the )?(?<off>dark|light|night|day) ?(?:mode|theme)(?: off)?",
    ),
    way("(?:turn|switch) (?:the )?(?<off>dark|light|night|day) ?(?:mode|theme) off"),
    way(
      "(?:MAKE|follow|match|respect)(?: the)?(?: theme| colou?rs)?(?: (?:to|of|from|like))?(?: (?:the|my))? (?<system>system|os|device|computer)(?:'?s)?(?: (?:theme|colou?rs?|setting|mode|preference))*",
    ),
    way("(?:turn|switch)(?: off)?(?: the)? lights?(?: off)?(?<lights>)"),
  ],
  means: ({ theme, off, system, lights }) => {
    if (system) return clear({ change: "theme", theme: "system" }, "The colours follow the system");
    const isDark = lights !== undefined || /dark|night/i.test(theme ?? off ?? "") === (theme !== undefined);
    return clear(
      { change: "theme", theme: isDark ? "dark" : "light" },
      `The interface is ${isDark ? "dark" : "light"}`,
    );
  },
};

const accents: Rule = {
  says: [
    way(
      "(?:MAKE|change|set)(?: the)? (?<sure>accent|primary|main|brand|theme|highlight|button|link)s?(?: colou?rs?)?(?: (?:to|be|is|in|=))?:? (?<color>.+)",
    ),
    way(
      "(?:MAKE|colou?r|paint)(?: the| all)?(?: colou?rs?)?(?: (?:of|for|on))?(?: the| all)? (?:buttons and links|links and buttons|interface|app|theme|buttons?|links?)(?: (?:to|in|be|into|as))? (?<color>.+)",
    ),
    way(
      "(?:MAKE|set) (?<color>.+?) (?:as|for)(?: the| an?)? (?<sure>accent|primary|main|brand|theme|highlight|button|buttons|links)(?: colou?rs?)?",
    ),
    way("(?:the )?(?<sure>accent|primary|main|brand)(?: colou?r)?(?: should be| to| is|:)? (?<color>.+)"),
    way(
      "(?:MAKE )?(?:an? )?(?<color>#?\\w+(?: \\w+)?) (?:accents?|accent colou?r|primary colou?r|buttons|links|brand colou?r)",
    ),
  ],
  means: ({ color = "", sure }) => {
    const hex = colorNamed(unquoted(color).replace(/^an? /i, ""));
    if (hex) return clear({ change: "accent", color: hex }, `Buttons, links and marks are ${unquoted(color)}`);
    if (!sure || color.split(" ").length > 3) return undefined;
    return declined(
      `I know no colour called ${inQuotes(color)}. Say a plain one, such as “green”, or a code, such as #0a7d33.`,
    );
  },
};

const densities: Rule = {
  says: [
    way(
      "(?:MAKE )?(?:(?:it|the (?:interface|app|ui|tables?|lists?|rows?|layout|page)|everything|rows|tables|lists) )?(?:be )?(?:a )?(?:bit )?(?:more )?(?<tight>compact|dense|denser|tighter|condensed|smaller spacing)(?: (?:mode|layout|view|tables?|lists?|rows?|spacing|design))?",
    ),
    way(
      "(?:MAKE )?(?:less|reduce(?: the)?|smaller|decrease(?: the)?|fewer|tighten(?: the)?) (?<tight>padding|spacing|space|white ?space|margins?|gaps?)(?: .+)?",
    ),
    way(
      "(?:MAKE )?(?:(?:it|the (?:interface|app|ui|tables?|lists?|rows?|layout|page)|everything|rows|tables|lists) )?(?:be )?(?:a )?(?:bit )?(?:more )?(?<roomy>roomy|roomier|spacious|airy|airier|comfortable|relaxed)(?: (?:mode|layout|view|tables?|lists?|rows?|spacing|design))?",
    ),
    way(
      "(?:MAKE |give (?:it|me) |add |i want |increase (?:the )?)*(?:more|larger|bigger|increase(?: the)?|extra)? ?(?<roomy>padding|spacing|space|white ?space|breathing (?:room|space))(?: between .+| in .+| around .+)?",
    ),
    way("(?:MAKE |back to )*(?:the )?(?<usual>normal|usual|default|regular) (?:density|spacing|padding)"),
  ],
  means: ({ tight, usual }) => {
    const density = tight ? "compact" : usual ? "normal" : "roomy";
    const says = {
      compact: "Everything stands closer together",
      normal: "The spacing is as usual",
      roomy: "Everything has more room",
    };
    return clear({ change: "density", density }, says[density]);
  },
};

const textSizes: Rule = {
  says: [
    way(
      "(?:MAKE |use |i need |increase |enlarge )*(?:the |a )?(?<large>bigger|larger|large|big|huge|increase)? ?(?:the )?(?:text|font|fonts|letters|type|everything|font ?size|text ?size)(?: ?size)?(?: (?:be )?(?<large2>bigger|larger|large|big|up))?",
    ),
    way(
      "(?:MAKE |use |decrease |reduce )*(?:the |a )?(?<small>smaller|small|tiny|tinier|decrease|reduce)? ?(?:the )?(?:text|font|fonts|letters|type|everything|font ?size|text ?size)(?: ?size)?(?: (?:be )?(?<small2>smaller|small|tiny|down))?",
    ),
    way("(?:MAKE |back to )*(?:the )?(?<usual>normal|usual|default|regular) (?:text|font)(?: ?size)?"),
    way("(?<word>increase|enlarge|decrease|reduce)(?: the)? (?:text|font)(?: ?size)?"),
  ],
  means: ({ large, large2, small, small2, usual, word }) => {
    const isLarge = large ?? large2 ?? (/increase|enlarge/i.test(word ?? "") ? word : undefined);
    const isSmall = small ?? small2 ?? (/decrease|reduce/i.test(word ?? "") ? word : undefined);
    if (!isLarge && !isSmall && !usual) return undefined;
    const size = isLarge ? "large" : isSmall ? "small" : "normal";
    return clear(
      { change: "textSize", size },
      `The text is ${{ small: "smaller", normal: "of the usual size", large: "larger" }[size]}`,
    );
  },
};

const corners: Rule = {
  says: [
    way(
      "(?:MAKE |use )*(?:the )?(?:(?:more )?(?<round>round(?:ed|er)?)|(?<square>square|sharp(?:er)?|straight)|(?<usual>normal|usual|default)) (?:corners?|edges|buttons|borders)",
    ),
    way(
      "(?:MAKE )?(?:the )?(?:corners?|edges|buttons)(?: (?:be|to))? (?:more )?(?:(?<round>round(?:ed|er)?)|(?<square>square|sharp(?:er)?)|(?<usual>normal))",
    ),
  ],
  means: ({ round, square }) => {
    const wanted = round ? "round" : square ? "square" : "normal";
    return clear({ change: "corners", corners: wanted }, `Corners are ${wanted === "normal" ? "as usual" : wanted}`);
  },
};

const layouts: Rule = {
  says: [
    way(
      "(?:MOVE|use|switch to|have|i want)?(?: the| a)? ?NAV (?:(?:to|at|on|onto|in|along) )?(?:the )?(?<where>top|side|left|header|above)(?: (?:side|bar|of the page))?",
    ),
    way(
      "(?:MOVE|use|switch to|have|i want)?(?: the| a)? ?(?<where>top|horizontal|header|side|left|vertical) ?(?:NAV|bar|layout|navigation)",
    ),
    way("(?:use|switch to|have|i want|show|bring back)(?: the| a) (?<where>sidebar|side bar)(?: .+)?"),
  ],
  means: ({ where = "" }) => {
    const isTop = /top|header|horizontal|above/i.test(where);
    return clear(
      { change: "layout", layout: isTop ? "top" : "side" },
      `The navigation is at the ${isTop ? "top" : "side"}`,
    );
  },
};

const titles: Rule = {
  says: [
    way(
      "(?:CALL|change|set|make)(?: the)? (?:app|application|interface|site|ui|page|api|whole thing|dashboard)(?:'?s)?(?: (?:title|name|heading))?(?: (?:to|as|into|be|=))? (?<title>.+)",
    ),
    way(
      "(?:CALL|change|set|make)(?: the)?(?: main)? (?<own>title|name|heading|header)(?: of the (?:app|interface|site|page|api))? (?:to|as|be|into) (?<title>.+)",
    ),
    way("(?:the )?(?:title|app title|app name)(?: should (?:be|read|say)| is) (?<title>.+)"),
    way("CALL it (?<title>.+)"),
  ],
  means: ({ title = "", own }, { vocabulary }) => {
    const text = unquoted(title);
    // What has the very name is meant, not the interface.
    const isField = own !== undefined && vocabulary.fieldsNamed(own).some(({ nearness }) => nearness === 0);
    if (isField || text === "" || text.length > 80) return undefined;
    return clear({ change: "apiTitle", title: text }, `The interface is called ${inQuotes(text)}`);
  },
};

const paging: Rule = {
  says: [
    way(
      "(?<off>HIDE|disable|turn off|without|switch off)(?: the| any)? (?:pagination|paging|pager|page controls|page numbers)(?: .+)?",
    ),
    way(
      "(?:SHOW|enable|turn on|use|switch on|MAKE)(?: the)? (?:pagination|paging|pager|page controls|page numbers)(?: on)?",
    ),
    way("(?<off>SHOW all (?:rows|records|entries|items) (?:at once|on one page))"),
  ],
  means: ({ off }) =>
    clear(
      { change: "pagination", on: off === undefined },
      `Lists have ${off ? "no paging controls" : "paging controls"}`,
    ),
};

export const lookRules: Rule[] = [themes, paging, densities, textSizes, corners, layouts, accents, titles];
