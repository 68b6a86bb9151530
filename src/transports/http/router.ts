import { DragomanError } from "../../core/errors.ts";

export interface Match<Route> {
  /** All routes of that path; they differ in their methods. */
  readonly routes: readonly Route[];
  readonly params: Readonly<Record<string, string>>;
}

interface Pattern<Route> {
  parts: string[];
  routes: Route[];
}

const NO_PARAMS = Object.freeze({});

/** Finds routes by their path. One without `:names` is found at once and goes before those that have some. */
export class Router<Route extends { path: string }> {
  readonly #literal = new Map<string, { routes: Route[]; params: Readonly<Record<string, string>> }>();
  readonly #patterns: Pattern<Route>[] = [];

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#listOf(route.path).push(route);
  }

  find(path: string): Match<Route> | undefined {
    const literal = this.#literal.get(path);
    if (literal || this.#patterns.length === 0) return literal;
    const parts = path.split("/", 33); // no route is that deep
    const pattern = this.#patterns.find((one) => fits(one.parts, parts));
    return pattern && { routes: pattern.routes, params: paramsOf(pattern.parts, parts) };
  }

  #listOf(path: string): Route[] {
    const parts = path.split("/");
    if (!parts.some(isName)) {
      const known = this.#literal.get(path) ?? { routes: [], params: NO_PARAMS };
      this.#literal.set(path, known);
      return known.routes;
    }
    const known = this.#patterns.find((one) => one.parts.join("/") === path);
    if (known) return known.routes;
    const routes: Route[] = [];
    this.#patterns.push({ parts, routes });
    return routes;
  }
}

const isName = (part: string) => part.startsWith(":");

function fits(pattern: string[], parts: string[]): boolean {
  if (pattern.length !== parts.length) return false;
  return pattern.every((part, at) => part === parts[at] || (isName(part) && parts[at] !== ""));
}

function paramsOf(pattern: string[], parts: string[]): Record<string, string> {
  const params: Record<string, string> = {};
  pattern.forEach((part, at) => {
    if (isName(part)) params[part.slice(1)] = decodedPart(parts[at] ?? "");
  });
  return params;
}

/** One part of a path, however it is written: nothing that would be several, or the folder above, once it is decoded. */
function decodedPart(part: string): string {
  const text = part.includes("%") ? decodedOf(part) : part;
  if (/[/\\\p{Cc}]/u.test(text) || text === "." || text === "..") {
    throw new DragomanError(
      "invalid_request",
      "A part of the path holds a separator, a control character or dots alone.",
    );
  }
  return text;
}

function decodedOf(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new DragomanError("invalid_request", "A part of the path is not percent-encoded UTF-8.");
  }
}
