import { mockFile } from "./mock-files.ts";
import { mockPerson } from "./mock-person.ts";
import { currencyName, mockLocation } from "./mock-places.ts";
import { isAbout, nameFrom, type TextSource } from "./mock-source.ts";
import {
  articleTitles,
  attributeNames,
  bookTitles,
  channelNames,
  courseTitles,
  eventTitles,
  genres,
  imageNames,
  mailSubjects,
  permissionNames,
  planetNames,
  planNames,
  programmingLanguages,
  projectTitles,
  recipeTitles,
  roleNames,
  serviceNames,
  shipNames,
  songTitles,
  taskTitles,
  teamNames,
} from "./mock-titles.ts";
import {
  adjectives,
  animals,
  companies,
  departments,
  jobs,
  nouns,
  petNames,
  productCategories,
  products,
  speciesNames,
  tagWords,
  type Words,
  wordList,
} from "./mock-words.ts";

type NameRule = [words: string, make: (source: TextSource) => string];

/** What things are called, by the words for them. */
const nameRules: NameRule[] = [
  [
    "user person people customer employee contact member patient student teacher author owner " +
      "actor artist player driver guest profile account lead candidate creator requester sender " +
      "recipient assignee reviewer approver participant attendee instructor passenger seller " +
      "buyer agent manager moderator contributor editor director producer writer performer " +
      "character crew staff doctor speaker payer payee beneficiary cardholder by",
    (source) => mockPerson(source).full,
  ],
  ["pet dog cat animal puppy", named(petNames)],
  ["species breed", named(speciesNames)],
  [
    "company organization organisation org vendor supplier merchant brand tenant client business " +
      "publisher manufacturer employer institution bank airline carrier partner provider",
    named(companies),
  ],
  ["film movie show novel book story comic", named(bookTitles)],
  ["song track album single playlist", named(songTitles)],
  ["issue ticket task todo bug request pull incident", named(taskTitles)],
  ["article post blog news page podcast episode video", named(articleTitles)],
  ["event workshop exhibition meeting webinar conference", named(eventTitles)],
  ["project campaign initiative", named(projectTitles)],
  ["course lesson training", named(courseTitles)],
  ["recipe meal dish", named(recipeTitles)],
  ["email mail message broadcast newsletter notification template", named(mailSubjects)],
  ["milestone release version", versionName],
  ["plan subscription tier", named(planNames)],
  ["role", named(roleNames)],
  ["team squad", named(teamNames)],
  ["department division", named(departments)],
  ["planet moon star astronomical satellite", named(planetNames)],
  ["ship starship spacecraft vehicle vessel aircraft", named(shipNames)],
  ["repository repo package module library gist", repositoryName],
  ["container service pod server node machine host job deployment worker", serviceName],
  ["network volume plugin secret config namespace cluster", serviceName],
  ["image", named(imageNames)],
  ["attribute property option", named(attributeNames)],
  ["channel room", named(channelNames)],
  ["permission scope", named(permissionNames)],
  ["domain website", (source) => `${repositoryName(source)}.example.com`],
  ["genre", named(genres)],
  ["product item goods variant material", productName],
  ["category collection", categoryName],
  ["city place location destination venue store warehouse site", (s) => mockLocation(s).city],
  ["country nation", (source) => mockLocation(source).country],
  ["tag label topic keyword", named(tagWords)],
  ["language locale", named(programmingLanguages)],
  ["currency", currencyName],
  ["job position occupation vacancy", named(jobs)],
  ["file document attachment upload", (source) => mockFile(source).name],
];

const nameRuleOf = new Map(
  // The first rule that has a word is the one for it.
  [...nameRules].reverse().flatMap(([words, make]) => words.split(" ").map((word) => [word, make])),
) as ReadonlyMap<string, NameRule[1]>;

/** What a thing of this sort is called. The same object is always called the same. */
export function subjectName(source: TextSource): string {
  // The last words say what it is: a "product category" is a category.
  for (const word of [...source.subject].reverse()) {
    const make = nameRuleOf.get(word) ?? nameRuleOf.get(singularWord(word));
    if (make) return make(source);
  }
  return inventedName(source);
}

/** Whether there are names for what a word means. */
export function hasNames(word: string): boolean {
  return nameRuleOf.has(singularWord(word));
}

/** As in addresses: "Zürich & Co." gives "zurich-co". */
export function subjectSlug(source: TextSource): string {
  return subjectName(source)
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z\d\s.:_&/-]/g, "")
    .split(/[^a-z\d]+/)
    .filter(Boolean)
    .slice(0, 6)
    .join("-");
}

export function singularWord(word: string): string {
  if (word.length < 4 || /(ss|us|is|as|species|series)$/.test(word)) return word;
  return word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.replace(/s$/, "");
}

function named(words: Words): (source: TextSource) => string {
  return (source) => nameFrom(words, source);
}

function inventedName(source: TextSource): string {
  return `${nameFrom(adjectives, source)} ${nameFrom(nouns, source, "second").toLowerCase()}`;
}

function productName(source: TextSource): string {
  return `${nameFrom(adjectives, source)} ${nameFrom(products, source, "second").toLowerCase()}`;
}

function categoryName(source: TextSource): string {
  return nameFrom(isAbout(source, / (pet|animal) /) ? animals : productCategories, source);
}

function repositoryName(source: TextSource): string {
  return `${nameFrom(nouns, source)}-${nameFrom(serviceNames, source, "second")}`.toLowerCase();
}

const numbers = wordList("1, 2, 3, 4, 5, 6, 7, 8, 9");

function serviceName(source: TextSource): string {
  return `${nameFrom(serviceNames, source)}-${nameFrom(numbers, source, "second")}`;
}

function versionName(source: TextSource): string {
  return `Version ${nameFrom(numbers, source)}.${nameFrom(numbers, source, "second")}`;
}
