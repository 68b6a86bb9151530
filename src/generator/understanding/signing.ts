import { wordsOf } from "./names.ts";
import type { SchemaView } from "./schema-view.ts";
import type { Call } from "./seats.ts";
import { simplified } from "./unions.ts";

const signIn = new Set(["login", "signin", "sign-in", "log-in", "logon", "log-on", "authenticate"]);
const signOut = new Set(["logout", "signout", "sign-out", "log-out", "logoff", "log-off"]);
const secrets = /^(password|client_?secret|grant_?type|refresh_?token|credentials?)$/i;

/** Whether an operation signs in or out: by the last word of its path, and for a token by what it takes. */
export function signKind(view: SchemaView, call: Call): "signIn" | "signOut" | undefined {
  const { endpoint, shape } = call;
  if (shape.steps.some((step) => step.param !== undefined)) return undefined;
  const last = wordsOf(shape.steps.at(-1)?.word ?? "").join("-");
  if (signOut.has(last)) return "signOut";
  if (signIn.has(last) && (endpoint.method === "POST" || endpoint.method === "GET")) return "signIn";
  const isToken = /^(oauth2?-)?(access-)?tokens?$/.test(last) || last === "auth" || last === "session";
  return isToken && endpoint.method === "POST" && takesSecret(view, call) ? "signIn" : undefined;
}

function takesSecret(view: SchemaView, { endpoint }: Call): boolean {
  const bodies = Object.values(endpoint.requestBody?.content ?? {}).flatMap(({ schema }) => {
    const whole = simplified(view, schema);
    const choices = (whole.unionOf ?? []).map((member) => simplified(view, member));
    return [whole, ...choices].flatMap(({ properties = {} }) => Object.keys(properties));
  });
  return [...bodies, ...endpoint.parameters.map((parameter) => parameter.name)].some((name) => secrets.test(name));
}
