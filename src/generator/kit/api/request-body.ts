import type { Body, Json } from "../descriptor.ts";
import type { BodyValue } from "./backend.ts";
import { isJsonObject } from "./json.ts";
import { bracketPairs } from "./request-parameters.ts";
import type { FormPart } from "./transport.ts";

export interface EncodedBody {
  content: string | Blob | FormPart[];
  /** Not set for parts: whoever sends them chooses the boundary. */
  contentType?: string;
}

export function encodedBody(body: Body, value: BodyValue): EncodedBody {
  const { mediaType, wrap } = body;
  const whole: BodyValue = wrap === undefined ? value : { [wrap]: value };
  if (value instanceof Blob && !mediaType.startsWith("multipart/")) {
    return { content: value, contentType: concrete(mediaType, value.type) };
  }
  if (mediaType.startsWith("multipart/")) {
    const name = wrap ?? body.field?.name ?? "file";
    return { content: value instanceof Blob ? [filePart(name, value)] : multipartOf(whole, wrap) };
  }
  if (mediaType === "application/x-www-form-urlencoded") {
    return { content: urlencoded(whole as Json), contentType: mediaType };
  }
  if (typeof value === "string" && !/[/+]json\b/.test(mediaType)) {
    return { content: value, contentType: concrete(mediaType, "text/plain") };
  }
  return { content: JSON.stringify(whole), contentType: concrete(mediaType, "application/json") };
}

/** Descriptions may allow any type; a request has one. */
function concrete(mediaType: string, usual: string): string {
  return mediaType.includes("*") ? usual || "application/octet-stream" : mediaType;
}

function urlencoded(value: Json): string {
  if (!isJsonObject(value)) return String(value);
  const pairs = Object.entries(value).flatMap(([name, part]) => bracketPairs(name, part));
  return new URLSearchParams(pairs).toString();
}

function multipartOf(value: BodyValue, wrap: string | undefined): FormPart[] {
  if (wrap !== undefined && isJsonObject(value)) {
    const below = value[wrap];
    if (isJsonObject(below)) {
      return Object.entries(below).flatMap(([name, part]) => partFor(`${wrap}[${name}]`, part));
    }
  }
  if (!isJsonObject(value)) return partFor("value", value);
  return Object.entries(value).flatMap(([name, part]) => partFor(name, part));
}

/** Several values are several parts of one name; objects travel as JSON. */
function partFor(name: string, value: BodyValue): FormPart[] {
  if (value === null) return [];
  if (value instanceof Blob) return [filePart(name, value)];
  if (Array.isArray(value)) return value.flatMap((item) => partFor(name, item));
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return [{ name, value: text }];
}

function filePart(name: string, value: Blob): FormPart {
  return { name, value, filename: value instanceof File ? value.name : "file" };
}
