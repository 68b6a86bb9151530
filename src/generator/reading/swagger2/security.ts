import type { OauthFlow } from "../../normalized-spec.ts";
import { type ReadScheme, readApiKey, readFlow } from "../openapi/security.ts";

const grants = new Map<string | undefined, OauthFlow["grant"]>([
  ["accessCode", "authorizationCode"],
  ["application", "clientCredentials"],
  ["implicit", "implicit"],
  ["password", "password"],
]);

export const readScheme: ReadScheme = (node) => {
  const type = node.text("type")?.toLowerCase();
  if (type === "basic") return { type: "http", scheme: "basic" };
  if (type === "apikey") return readApiKey(node);
  const grant = grants.get(node.text("flow"));
  return type === "oauth2" && grant ? { type: "oauth2", flows: [readFlow(grant, node)] } : undefined;
};
