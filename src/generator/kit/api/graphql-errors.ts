import type { Json, Operation } from "../descriptor.ts";
import { ApiError, type ApiErrorKind, type FieldErrors } from "./backend.ts";
import { errorsByField, fieldPath, isText } from "./field-errors.ts";
import { isJsonObject, propertyOf, setProperty } from "./json.ts";
import { excerpt, messageIn, usualMessages } from "./server-errors.ts";

/** The errors of a GraphQL answer, if they left nothing to show. */
export function graphqlError(operation: Operation, answer: Json | undefined): ApiError | undefined {
  const errors = propertyOf(answer, "errors");
  const data = propertyOf(answer, "data");
  const partial = isJsonObject(data) && Object.values(data).some((part) => part !== null);
  if (!Array.isArray(errors) || errors.length === 0 || partial) return userError(operation, data);
  const fieldErrors: FieldErrors = {};
  for (const error of errors) {
    const extensions = propertyOf(error, "extensions");
    Object.assign(fieldErrors, errorsByField(operation, extensions));
    const argument = propertyOf(extensions, "field") ?? propertyOf(extensions, "argumentName");
    const message = propertyOf(error, "message");
    if (typeof argument === "string" && typeof message === "string") {
      setProperty(fieldErrors, fieldPath(operation, [argument]), message);
    }
  }
  const kind = kindOfGraphql(errors[0], Object.keys(fieldErrors).length > 0);
  const messages = errors.map((error) => propertyOf(error, "message")).filter(isText);
  const message = messages.slice(0, 3).join(" ") || usualMessages[kind];
  return new ApiError(kind, message, { fieldErrors, answer: excerpt(answer) });
}

function kindOfGraphql(error: Json | undefined, hasFieldErrors: boolean): ApiErrorKind {
  const extensions = propertyOf(error, "extensions");
  const said = [propertyOf(extensions, "code"), propertyOf(extensions, "category")]
    .concat(propertyOf(error, "type"))
    .filter((one) => typeof one === "string")
    .join(" ")
    .toLowerCase();
  if (/unauthenticated|authentication|unauthorized/.test(said)) return "unauthorized";
  if (/forbidden|authorization|access.denied|permission/.test(said)) return "forbidden";
  if (/not.?found/.test(said)) return "notFound";
  if (/rate.?limit|throttled|too.many/.test(said)) return "rateLimited";
  if (/conflict/.test(said)) return "conflict";
  if (/internal|unavailable/.test(said)) return "server";
  return hasFieldErrors || /input|valid|parse|bad_request/.test(said) ? "invalid" : "server";
}

/** What a mutation answers beside its result: `userErrors` with fields and messages. */
function userError(operation: Operation, data: Json | undefined): ApiError | undefined {
  const payload = propertyOf(data, operation.path);
  for (const name of ["userErrors", "errors"]) {
    const errors = propertyOf(payload, name);
    if (!Array.isArray(errors) || errors.length === 0) continue;
    return new ApiError("invalid", messageIn({ errors }) ?? usualMessages.invalid, {
      fieldErrors: errorsByField(operation, { errors }),
      answer: excerpt(errors),
    });
  }
  return undefined;
}
