import type { Parameter } from "../../normalized-spec.ts";
import type { Warnings } from "../warnings.ts";

/** "/v1/{+name}" of RFC 6570 and "pets" without its slash are written in the usual way; its "{?status}" belongs to the query. */
export function usualPath(path: string): string {
  const plain = path.replace(/\{[?&][^{}]*\}/g, "").replace(/\{[+#./;]/g, "{");
  return plain.startsWith("/") || /^https?:\/\//.test(plain) ? plain : `/${plain}`;
}

/** Every name in the path needs exactly one parameter, or it could not be filled in. */
export function withPathParameters(
  path: string,
  parameters: Parameter[],
  place: string,
  warnings: Warnings,
): Parameter[] {
  const wanted = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? ""));
  const declared = new Set(parameters.flatMap((parameter) => (parameter.in === "path" ? [parameter.name] : [])));
  const kept = parameters.filter((parameter) => {
    const fits = parameter.in !== "path" || wanted.has(parameter.name);
    if (!fits) warnings.add(place, `The path has no {${parameter.name}}; that parameter is left out`);
    return fits;
  });
  for (const name of wanted) {
    if (declared.has(name)) continue;
    warnings.add(place, `No parameter describes {${name}} of the path; it is taken as text`);
    kept.push({ name, in: "path", type: "string", required: true, schema: { type: "string" } });
  }
  return kept;
}
