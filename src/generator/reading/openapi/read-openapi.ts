import type { Endpoint, NormalizedSpec } from "../../normalized-spec.ts";
import { RawNode, type SourceFile } from "../raw-node.ts";
import { readModels } from "../read-models.ts";
import { type Reading, reading as startReading } from "../reading.ts";
import type { Warnings } from "../warnings.ts";
import { demandEndpoints, nameParameterTypes } from "./callable.ts";
import { readRequestBody, readResponses } from "./contents.ts";
import { type Operation, operationHead, readEndpoints, securityOf } from "./endpoints.ts";
import { readMetadata, readTags } from "./metadata.ts";
import { parameterNodes, readParameter } from "./parameters.ts";
import { withPathParameters } from "./path-templates.ts";
import { readRequirements, readScheme, readSchemes } from "./security.ts";
import { readServers } from "./servers.ts";

/** OpenAPI 3.0, 3.1 and 3.2. The first file is the main one. */
export function readOpenapi(files: [SourceFile, ...SourceFile[]], warnings: Warnings): NormalizedSpec {
  const root = new RawNode(files[0].root, files[0]);
  const components = root.child("components");
  const reading = startReading(files, components?.child("schemas"), warnings);
  const security = readRequirements(reading, root.child("security"));
  const endpoints = readEndpoints(reading, root.child("paths"), (operation) => ({
    ...readDetails(reading, operation),
    ...securityOf(readRequirements(reading, operation.node.child("security")), security),
  }));
  demandEndpoints(endpoints, root, warnings);
  const securitySchemes = readSchemes(reading, components?.child("securitySchemes"), readScheme);
  const tags = readTags(root.child("tags"));
  const models = readModels(reading.schemas);
  nameParameterTypes(endpoints, models);
  return {
    format: "openapi3",
    metadata: readMetadata(reading, root, readServers(reading, root.child("servers"))),
    endpoints,
    models,
    ...(securitySchemes.length > 0 && { securitySchemes }),
    ...(tags.length > 0 && { tags }),
  };
}

function readDetails(reading: Reading, { path, node, around }: Operation): Omit<Endpoint, "path" | "method"> {
  const parameters = parameterNodes(reading, [...around, node]).flatMap((one) => readParameter(reading, one));
  const body = node.child("requestBody");
  const requestBody = body && readRequestBody(reading, body);
  const servers = readServers(reading, [node, ...around].map((one) => one.child("servers")).find(Boolean));
  return {
    ...operationHead(node),
    parameters: withPathParameters(path, parameters, node.place, reading.warnings),
    ...(requestBody && { requestBody }),
    responses: readResponses(reading, node.child("responses")),
    ...(servers.length > 0 && { servers }),
  };
}
