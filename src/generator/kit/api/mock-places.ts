import { diceFor, randomFrom } from "./mock-random.ts";
import type { TextSource } from "./mock-source.ts";
import { streets } from "./mock-words.ts";

export interface MockLocation {
  city: string;
  state: string;
  country: string;
  countryCode: string;
  postcode: string;
  timeZone: string;
  currency: string;
  locale: string;
  latitude: number;
  longitude: number;
}

const locationTable = `
  Amsterdam|North Holland|Netherlands|NL|1012|Europe/Amsterdam|EUR|nl-NL|52.37|4.9
  Barcelona|Catalonia|Spain|ES|08003|Europe/Madrid|EUR|es-ES|41.39|2.17
  Boston|Massachusetts|United States|US|02108|America/New_York|USD|en-US|42.36|-71.06
  Cape Town|Western Cape|South Africa|ZA|8001|Africa/Johannesburg|ZAR|en-ZA|-33.93|18.42
  Copenhagen|Hovedstaden|Denmark|DK|1050|Europe/Copenhagen|DKK|da-DK|55.68|12.57
  Dublin|Leinster|Ireland|IE|D02 X285|Europe/Dublin|EUR|en-IE|53.35|-6.26
  Hamburg|Hamburg|Germany|DE|20095|Europe/Berlin|EUR|de-DE|53.55|9.99
  Kyoto|Kyoto|Japan|JP|600-8216|Asia/Tokyo|JPY|ja-JP|35.01|135.77
  Leeds|West Yorkshire|United Kingdom|GB|LS1 4AP|Europe/London|GBP|en-GB|53.8|-1.55
  Lisbon|Lisboa|Portugal|PT|1100-148|Europe/Lisbon|EUR|pt-PT|38.72|-9.14
  Lyon|Rhône|France|FR|69002|Europe/Paris|EUR|fr-FR|45.76|4.84
  Melbourne|Victoria|Australia|AU|3000|Australia/Melbourne|AUD|en-AU|-37.81|144.96
  Montréal|Quebec|Canada|CA|H2Y 1C6|America/Toronto|CAD|fr-CA|45.5|-73.57
  Mumbai|Maharashtra|India|IN|400001|Asia/Kolkata|INR|en-IN|19.08|72.88
  Nairobi|Nairobi County|Kenya|KE|00100|Africa/Nairobi|KES|en-KE|-1.29|36.82
  Seattle|Washington|United States|US|98101|America/Los_Angeles|USD|en-US|47.61|-122.33
  Stockholm|Stockholm County|Sweden|SE|111 29|Europe/Stockholm|SEK|sv-SE|59.33|18.07
  Zürich|Zürich|Switzerland|CH|8001|Europe/Zurich|CHF|de-CH|47.37|8.54
`;

const locations = locationTable
  .trim()
  .split("\n")
  .map((line) => locationOf(line.trim().split("|")));

function locationOf(parts: string[]): MockLocation {
  const [city = "", state = "", country = "", countryCode = "", postcode = ""] = parts;
  const [timeZone = "", currency = "", locale = "", latitude, longitude] = parts.slice(5);
  return {
    city,
    state,
    country,
    countryCode,
    postcode,
    timeZone,
    currency,
    locale,
    latitude: Number(latitude),
    longitude: Number(longitude),
  };
}

/** Everything that an object says about where it is fits together. */
export function mockLocation({ seed }: { seed: string }): MockLocation {
  const [first, ...others] = locations;
  if (!first) throw new Error("There are no locations.");
  return diceFor(`${seed}/location`).pick([first, ...others]);
}

export function streetAddress({ seed }: { seed: string }): string {
  const dice = diceFor(`${seed}/street`);
  return `${dice.between(1, 180)} ${dice.pick(streets)}`;
}

/** In one line, unless the city stands beside it. */
export function wholeAddress(source: TextSource, name: string): string {
  const street = streetAddress(source);
  const isWhole = /formatted|full|complete/i.test(name);
  if (source.subject.includes("address") && !isWhole) return street;
  const { postcode, city } = mockLocation(source);
  return `${street}, ${postcode} ${city}`;
}

const currencyNames: Record<string, [name: string, symbol: string]> = {
  EUR: ["Euro", "€"],
  USD: ["US dollar", "$"],
  GBP: ["Pound sterling", "£"],
  JPY: ["Japanese yen", "¥"],
  CHF: ["Swiss franc", "CHF"],
  CAD: ["Canadian dollar", "$"],
  AUD: ["Australian dollar", "$"],
  INR: ["Indian rupee", "₹"],
  SEK: ["Swedish krona", "kr"],
  DKK: ["Danish krone", "kr"],
  ZAR: ["South African rand", "R"],
  KES: ["Kenyan shilling", "KSh"],
};

export function currencyName(source: TextSource): string {
  return currencyNames[mockLocation(source).currency]?.[0] ?? "Euro";
}

export function currencySymbol(source: TextSource): string {
  return currencyNames[mockLocation(source).currency]?.[1] ?? "€";
}

/** Close to the city, to some hundred metres. */
export function coordinate(axis: "latitude" | "longitude", source: TextSource): number {
  const shift = Number(`0.0${randomFrom("0123456789", 3, source.dice)}`);
  return Number((mockLocation(source)[axis] + shift).toFixed(4));
}
