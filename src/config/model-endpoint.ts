import { MODEL_KEY, type ModelEndpointConfig, modelEndpointSchema } from "./agents-schema.ts";
import type { FileSource, Sourced } from "./configuration.ts";
import { checkKey, fromVariables, writtenSection } from "./model-section.ts";
import type { Sources } from "./sources.ts";

const variables = { baseUrl: "DRAGOMAN_MODEL_BASE_URL", model: "DRAGOMAN_MODEL_NAME" };

const setSchema = modelEndpointSchema.pick({ baseUrl: true, model: true }).partial();

/**
 * Where the engine `model` asks; nothing, where nobody has said it. With an address in a variable nothing of a file counts: the key that
 * a file names is not for that one.
 */
export function modelEndpointOf(
  sources: Sources,
  env: NodeJS.ProcessEnv,
): Sourced<ModelEndpointConfig, FileSource | "environment"> | undefined {
  const set = fromVariables(variables, setSchema, env);
  const written = set.baseUrl === undefined ? writtenSection("modelEndpoint", sources) : undefined;
  const baseUrl = set.baseUrl ?? written?.value.baseUrl;
  if (baseUrl === undefined) return undefined;
  const value = { apiKeyVariable: MODEL_KEY, ...written?.value, ...set, baseUrl };
  checkKey(value, env);
  const isSet = Object.keys(set).length > 0;
  return { value, source: isSet || !written ? "environment" : written.source };
}
