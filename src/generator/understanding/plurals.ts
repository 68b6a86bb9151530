import { spelling } from "./names.ts";

// One and many of what words name.

const irregular = new Map<string, string>(
  Object.entries({
    person: "people",
    child: "children",
    man: "men",
    woman: "women",
    foot: "feet",
    tooth: "teeth",
    mouse: "mice",
    goose: "geese",
    index: "indices",
    vertex: "vertices",
    matrix: "matrices",
    analysis: "analyses",
    basis: "bases",
    criterion: "criteria",
    phenomenon: "phenomena",
    diagnosis: "diagnoses",
    hypothesis: "hypotheses",
    crisis: "crises",
    axis: "axes",
    hero: "heroes",
    potato: "potatoes",
    tomato: "tomatoes",
    echo: "echoes",
    shelf: "shelves",
    life: "lives",
    wolf: "wolves",
    knife: "knives",
    half: "halves",
    leaf: "leaves",
    movie: "movies",
    cookie: "cookies",
    zombie: "zombies",
    calorie: "calories",
    cache: "caches",
    status: "statuses",
    alias: "aliases",
    bus: "buses",
    bonus: "bonuses",
    virus: "viruses",
    campus: "campuses",
    census: "censuses",
    corpus: "corpora",
    canvas: "canvases",
    atlas: "atlases",
    bias: "biases",
    gas: "gases",
    lens: "lenses",
    quiz: "quizzes",
    datum: "data",
  }),
);
const regular = new Map<string, string>([...irregular].map(([one, many]) => [many, one]));
regular.set("indexes", "index").set("data", "data");

const uncountable = new Set(
  (
    "data media news series species info information metadata equipment software hardware feedback sms analytics dns aws " +
    "https s3 kubernetes access progress money means settings inventory weather traffic billing usage history health content " +
    "latest by async following staff malware telemetry firmware middleware storage starred advertised"
  ).split(" "),
);

/** One of these: "categories" is "category". Works on the last word of several; what is singular stays. */
export function singularOf(text: string): string {
  return onLastWord(text, (word) => {
    if (uncountable.has(word)) return word;
    const known = regular.get(word);
    if (known !== undefined) return known;
    if (irregular.has(word) || word.length < 3 || !word.endsWith("s") || /(ss|us|is)$/.test(word)) return word;
    if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
    return /(sses|shes|ches|xes|zzes)$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
  });
}

/** Many of it: "category" is "categories". What is plural stays. */
export function pluralOf(text: string): string {
  return onLastWord(text, (word) => {
    if (uncountable.has(word) || regular.has(word)) return word;
    const known = irregular.get(word);
    if (known !== undefined) return known;
    if (isPlural(word) || /[^e]ed$/.test(word)) return word;
    if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
    return /(s|sh|ch|x|z)$/.test(word) ? `${word}es` : `${word}s`;
  });
}

function isPlural(word: string): boolean {
  const small = word.toLowerCase();
  return uncountable.has(small) || singularOf(small) !== small;
}

// The word that has a number is the one before these: "branches where head", "usage by repository".
const tail = /[ _-](?:where|by|for|of|with|from|per)[ _-].*$|(?:[ _-][vV]?|V)\d+$| \(.*\)$/;
const lastHump = /[\p{Ll}\p{N}](?=\p{Lu}+\p{Ll}*$)/u;

/** Changes the word that is one or many: the last one of "pullRequests", "pull-requests" and "pull requests". */
function onLastWord(text: string, change: (word: string) => string): string {
  const rest = tail.exec(text);
  if (rest !== null && rest.index > 0) return onLastWord(text.slice(0, rest.index), change) + rest[0];
  const hump = lastHump.exec(text);
  const start = Math.max(text.lastIndexOf(" "), text.lastIndexOf("-"), text.lastIndexOf("_"), hump?.index ?? -1) + 1;
  const word = text.slice(start);
  const small = word.toLowerCase();
  const changed = change(small);
  if (changed === small) return text;
  const acronym = spelling(changed) ?? spelling(changed.slice(0, -1));
  if (word === word.toUpperCase() && word.length > 1) return text.slice(0, start) + (acronym ?? changed);
  const kept = [...small].findIndex((letter, at) => letter !== changed[at]);
  return (
    text.slice(0, start) + (kept < 0 ? word + changed.slice(word.length) : word.slice(0, kept) + changed.slice(kept))
  );
}
