import type { Endpoint, NormalizedSpec, Parameter, SecurityRequirement, SecurityScheme } from "../normalized-spec.ts";

const keyNames = /^(api-?_?key|access-?_?token)$/i;

/**
 * Credentials that operations take as parameters, though nothing says that they are any, or that these operations need them: they are
 * entered once, like all others, and go with each of those operations.
 */
export function withImpliedSecurity(spec: NormalizedSpec): NormalizedSpec {
  const schemes = [...(spec.securitySchemes ?? [])];
  const endpoints = spec.endpoints?.map((endpoint) => {
    const implied = endpoint.parameters.flatMap((parameter) => {
      const name = schemeFor(schemes, parameter);
      return name === undefined ? [] : [{ name, required: parameter.required }];
    });
    return implied.length === 0 ? endpoint : needing(endpoint, implied);
  });
  return { ...spec, endpoints, securitySchemes: schemes };
}

/** The scheme that a parameter is the credential of. One that nobody has declared is made up for it. */
function schemeFor(schemes: SecurityScheme[], parameter: Parameter): string | undefined {
  const { name, in: place, description } = parameter;
  if (place === "path") return undefined;
  const small = name.toLowerCase();
  const isAuthorization = place === "header" && small === "authorization";
  const declared = schemes.find((scheme) =>
    scheme.type === "apiKey"
      ? (scheme.in ?? "header") === place && (scheme.parameterName ?? scheme.name).toLowerCase() === small
      : isAuthorization && scheme.type !== "mutualTLS",
  );
  if (declared) return declared.name;
  if (!isAuthorization && !(place === "query" && keyNames.test(name))) return undefined;
  schemes.push({ name, type: "apiKey", in: place, parameterName: name, ...(description && { description }) });
  return name;
}

function needing(endpoint: Endpoint, implied: { name: string; required: boolean }[]): Endpoint {
  const said = endpoint.securityRequirements ?? [];
  const isSaid = (name: string) => said.some((requirement) => Object.hasOwn(requirement, name));
  const missing = implied.filter(({ name }) => !isSaid(name));
  const together = (names: typeof implied, requirement: SecurityRequirement): SecurityRequirement => ({
    ...requirement,
    ...Object.fromEntries(names.map(({ name }) => [name, []])),
  });
  const required = missing.filter((one) => one.required);
  if (said.length > 0)
    return { ...endpoint, securityRequirements: said.map((requirement) => together(required, requirement)) };
  if (missing.length === 0) return endpoint;
  const whole = together(missing, {});
  return { ...endpoint, securityRequirements: required.length > 0 ? [whole] : [whole, {}] };
}
