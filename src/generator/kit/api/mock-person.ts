import { nameWords } from "./format.ts";
import { nameFrom, sourceOfPart, type TextSource } from "./mock-source.ts";
import { firstNames, lastNames } from "./mock-words.ts";

export interface MockPerson {
  first: string;
  last: string;
  full: string;
  /** For e-mail addresses too. */
  login: string;
}

/** Everything that an object says about one person fits together. */
export function mockPerson(source: TextSource, fieldName = ""): MockPerson {
  const whose = sourceOfPart(source, roleIn(fieldName));
  const first = nameFrom(firstNames, whose, "first");
  const last = nameFrom(lastNames, whose, "second");
  return { first, last, full: `${first} ${last}`, login: `${first}.${last}`.toLowerCase() };
}

export function mockEmail(source: TextSource, fieldName = ""): string {
  return `${mockPerson(source, fieldName).login}@example.com`;
}

const ownWords = new Set(
  (
    "first last given family sur surname fore forename full display real screen nick nickname " +
    "name names user username login handle avatar image photo picture url e mail email emails " +
    "address addresses primary work personal profile public person"
  ).split(" "),
);

/** `payer_email` and `payerName` are of the payer; `email` is of the object itself. */
function roleIn(fieldName: string): string {
  return nameWords(fieldName)
    .filter((word) => !ownWords.has(word))
    .join(" ");
}
