import type { FieldFormat } from "../customizing/customization.ts";
import type { Field, Json } from "../descriptor.ts";
import { formatBytes, formatDate, formatDateTime, formatRelative } from "./format.ts";

/** A value in the format that was wished for, or undefined if it is nothing of that kind. */
export function formattedAs(field: Field, value: Json): string | undefined {
  const { format = "text" } = field;
  return Object.hasOwn(formats, format) ? formats[format]?.(value, field) : undefined;
}

type Formatting = ((value: Json, field: Field) => string | undefined) | undefined;

const formats: Record<FieldFormat, Formatting> = {
  text: undefined,
  longText: undefined,
  image: undefined,
  link: undefined,
  badge: undefined,
  color: undefined,
  number: (value) => numberText(value, {}),
  currency: (value, { currency = "" }) => {
    const isCode = /^[a-z]{3}$/i.test(currency);
    return numberText(value, { style: "currency", currency: isCode ? currency : "USD" });
  },
  percent: (value, field) => percentText(value, field),
  bytes: (value) => {
    const bytes = numberIn(value);
    return bytes === undefined || bytes < 0 ? undefined : formatBytes(bytes);
  },
  date: (value) => formatDate(typeof value === "number" ? isoText(value) : value),
  dateTime: (value) => formatDateTime(isoText(value)),
  relative: (value) => {
    const date = instantIn(value);
    return date && formatRelative(date, new Date());
  },
  stars: (value, field) => {
    const stars = starsOf(value, field);
    return stars && `${numberText(stars.exact, {})} of ${stars.of}`;
  },
};

/** A number, also where an API writes it as text. */
function numberIn(value: Json): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function numberText(value: Json, options: Intl.NumberFormatOptions): string | undefined {
  const number = numberIn(value);
  if (number === undefined) return undefined;
  const digits = options.style === "currency" ? {} : { maximumFractionDigits: 6 };
  return new Intl.NumberFormat(undefined, { ...digits, ...options }).format(number);
}

/** Where nothing says up to what it goes, a number up to 1 is a share of 1. */
function percentText(value: Json, { max }: Field): string | undefined {
  const number = numberIn(value);
  if (number === undefined) return undefined;
  const isShare = max === undefined ? Math.abs(number) <= 1 : max <= 1;
  return numberText(isShare ? number : number / 100, {
    style: "percent",
    maximumFractionDigits: 2,
  });
}

/** An instant, also as the seconds or milliseconds since 1970. */
export function instantIn(value: Json): Date | undefined {
  const isSeconds = typeof value === "number" && Math.abs(value) < 1e11;
  const date = new Date(isSeconds ? value * 1000 : typeof value === "number" ? value : `${value}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function isoText(value: Json): Json {
  return instantIn(value)?.toISOString() ?? value;
}

const mostStars = 10;

/** How many stars of how many; of five, if nothing says more. */
export function starsOf(
  value: Json,
  { max = 5 }: Field,
): { full: number; of: number; exact: number } | undefined {
  const exact = numberIn(value);
  if (exact === undefined) return undefined;
  const of = Number.isInteger(max) && max > 0 && max <= mostStars ? max : 5;
  return { full: Math.max(0, Math.min(of, Math.round(exact))), of, exact };
}
