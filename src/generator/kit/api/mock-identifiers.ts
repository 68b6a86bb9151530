import { type Dice, randomFrom } from "./mock-random.ts";

export const hexDigits = "0123456789abcdef";
const decimalDigits = "0123456789";
const capitals = "ABCDEFGHKLMNPRSTVWXY";

export function mockUuid(dice: Dice): string {
  const part = (length: number) => randomFrom(hexDigits, length, dice);
  return `${part(8)}-${part(4)}-4${part(3)}-a${part(3)}-${part(12)}`;
}

/** What is secret is shown as services show it: by its last characters. */
export function maskedSecret(prefix: string, dice: Dice): string {
  return `${prefix}••••••••${randomFrom(hexDigits, 4, dice)}`;
}

export function referenceCode(dice: Dice): string {
  return `${randomFrom(capitals, 3, dice)}-${dice.between(1000, 9999)}`;
}

export function macAddress(dice: Dice): string {
  return Array.from({ length: 6 }, () => randomFrom(hexDigits, 2, dice)).join(":");
}

/** Digits for `#`, capitals for `A`: "DE#########" gives "DE482910375". */
export function filledIn(form: string, dice: Dice): string {
  return form.replace(/[#A]/g, (sign) =>
    randomFrom(sign === "#" ? decimalDigits : capitals, 1, dice),
  );
}

const uuidForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const longestVaried = 100;

/** Another text of the same shape: `cus_9sXn2` gives `cus_4kTz8`, "Up 4 days" gives "Up 7 days". */
export function textLike(example: string, dice: Dice): string {
  if (uuidForm.test(example)) return mockUuid(dice);
  if (!/^[\w\s:.,<>@-]+$/.test(example) || example.length > longestVaried) return example;
  const prefix = /^[A-Za-z][A-Za-z\d]*[_:]/.exec(example)?.[0] ?? "";
  return (
    prefix + example.slice(prefix.length).replace(/[A-Za-z\d]+/g, (part) => partLike(part, dice))
  );
}

/** Other letters and digits in their places: where there is room for nothing more. */
export function otherSigns(text: string, dice: Dice): string {
  return text.replace(/[A-Za-z\d]/g, (one) => {
    if (/\d/.test(one)) return randomFrom(decimalDigits, 1, dice);
    const letter = randomFrom(capitals, 1, dice);
    return one === one.toLowerCase() ? letter.toLowerCase() : letter;
  });
}

/** Words stay what they are, and so do those before a number: `img001`. */
function partLike(part: string, dice: Dice): string {
  if (/^[A-Za-z]+$/.test(part)) return part;
  const word = /^[A-Za-z]+(?=\d+$)/.exec(part)?.[0] ?? "";
  // One digit is part of a name more often than not: CO2, v4.
  if (word.length === part.length - 1) return part;
  // Letters beyond f would make no hexadecimal number.
  const letters = /^[\da-f]+$/i.test(part) ? "abcdef" : "abcdefghijkmnpqrstuvwxyz";
  const varied = part.slice(word.length).replace(/[a-z]|[A-Z]|\d/g, (one) => {
    if (/\d/.test(one)) return randomFrom(decimalDigits, 1, dice);
    const letter = randomFrom(letters, 1, dice);
    return one === one.toLowerCase() ? letter : letter.toUpperCase();
  });
  return word + varied;
}
