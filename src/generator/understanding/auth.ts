import type { AuthScheme } from "../kit/descriptor.ts";
import type { NormalizedSpec, SecurityScheme } from "../normalized-spec.ts";
import { brief } from "./brief.ts";
import { labelOf } from "./names.ts";
import type { Notes } from "./notes.ts";

/** Every declared way to prove who one is. A scheme that is asked for but nowhere described cannot be one of them. */
export function authOf(spec: NormalizedSpec, notes: Notes): AuthScheme[] {
  const schemes = (spec.securitySchemes ?? []).map(schemeOf);
  const declared = new Set(schemes.map((scheme) => scheme.id));
  const used = new Set(
    (spec.endpoints ?? []).flatMap((endpoint) => (endpoint.securityRequirements ?? []).flatMap(Object.keys)),
  );
  for (const name of used) {
    if (!declared.has(name))
      notes.warn(`securitySchemes/${name}`, `operations ask for "${name}", but nothing says what that is`);
  }
  return schemes;
}

function schemeOf(scheme: SecurityScheme): AuthScheme {
  const description = brief(scheme.description);
  return {
    id: scheme.name,
    label: labelOf(scheme.name),
    ...kindOf(scheme),
    ...(description !== undefined && { description }),
  };
}

function kindOf(scheme: SecurityScheme): Pick<AuthScheme, "kind"> & Partial<AuthScheme> {
  switch (scheme.type) {
    case "apiKey":
      if (isBearer(scheme)) return { kind: "bearer" };
      return { kind: "apiKey", in: scheme.in ?? "header", name: scheme.parameterName ?? scheme.name };
    case "oauth2":
      return { kind: "oauth2", flows: (scheme.flows ?? []).map(flowOf) };
    case "openIdConnect":
      return {
        kind: "openIdConnect",
        ...(scheme.openIdConnectUrl !== undefined && { openIdConnectUrl: scheme.openIdConnectUrl }),
      };
    case "http":
      if (scheme.scheme === "basic") return { kind: "basic" };
      return scheme.scheme === "bearer" ? { kind: "bearer" } : { kind: "other", scheme: scheme.scheme ?? "bearer" };
    default:
      return { kind: "other", scheme: scheme.type };
  }
}

/** Swagger 2 cannot say bearer: it is a key in the header Authorization, and its name says so. Whoever is told to write the word gets to. */
function isBearer({ name, in: place = "header", parameterName, description = "" }: SecurityScheme): boolean {
  const isItsHeader = place === "header" && /^authorization$/i.test(parameterName ?? name);
  const asksForWord = /bearer\s*["'`<{[]|["'`]bearer/i.test(description);
  return isItsHeader && /bearer/i.test(name) && !asksForWord;
}

function flowOf(flow: NonNullable<SecurityScheme["flows"]>[number]): NonNullable<AuthScheme["flows"]>[number] {
  const { grant, authorizationUrl, tokenUrl } = flow;
  const scopes = Object.keys(flow.scopes).slice(0, 100);
  return {
    grant,
    ...(authorizationUrl !== undefined && { authorizationUrl }),
    ...(tokenUrl !== undefined && { tokenUrl }),
    scopes,
  };
}

/** Where credentials travel, as "query:api_key": nobody is to be asked for those again. */
export function credentialPlaces(spec: NormalizedSpec): Set<string> {
  return new Set(
    (spec.securitySchemes ?? [])
      .filter((scheme) => scheme.type === "apiKey")
      .map((scheme) => `${scheme.in ?? "header"}:${(scheme.parameterName ?? scheme.name).toLowerCase()}`),
  );
}
