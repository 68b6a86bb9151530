import type { Endpoint, NormalizedSpec } from "../../normalized-spec.ts";
import { demandEndpoints, nameParameterTypes } from "../openapi/callable.ts";
import { type Operation, operationHead, readEndpoints, securityOf } from "../openapi/endpoints.ts";
import { readMetadata, readTags } from "../openapi/metadata.ts";
import { parameterNodes } from "../openapi/parameters.ts";
import { withPathParameters } from "../openapi/path-templates.ts";
import { readRequirements, readSchemes } from "../openapi/security.ts";
import { RawNode, type SourceFile } from "../raw-node.ts";
import { readModels } from "../read-models.ts";
import { type Reading, reading as startReading } from "../reading.ts";
import type { Warnings } from "../warnings.ts";
import { readBody } from "./bodies.ts";
import { readParameter } from "./parameters.ts";
import { readResponses } from "./responses.ts";
import { readScheme } from "./security.ts";

/**
 * Swagger 2, read as it is. Upgrading it to OpenAPI 3 first would lose some bodies and would name places that whoever wrote the
 * description does not have.
 */
export function readSwagger2(files: [SourceFile, ...SourceFile[]], warnings: Warnings): NormalizedSpec {
  const root = new RawNode(files[0].root, files[0]);
  const reading = startReading(files, root.child("definitions"), warnings);
  const security = readRequirements(reading, root.child("security"));
  const endpoints = readEndpoints(reading, root.child("paths"), (operation) => ({
    ...readDetails(reading, operation, root),
    ...securityOf(readRequirements(reading, operation.node.child("security")), security),
  }));
  demandEndpoints(endpoints, root, warnings);
  const securitySchemes = readSchemes(reading, root.child("securityDefinitions"), readScheme);
  const tags = readTags(root.child("tags"));
  const models = readModels(reading.schemas);
  nameParameterTypes(endpoints, models);
  return {
    format: "swagger2",
    metadata: readMetadata(reading, root, serversOf(root)),
    endpoints,
    models,
    ...(securitySchemes.length > 0 && { securitySchemes }),
    ...(tags.length > 0 && { tags }),
  };
}

function readDetails(
  reading: Reading,
  { path, node, around }: Operation,
  root: RawNode,
): Omit<Endpoint, "path" | "method"> {
  const all = parameterNodes(reading, [...around, node]);
  const ofBody = all.filter((one) => one.text("in") === "body" || one.text("in") === "formData");
  const parameters = all.filter((one) => !ofBody.includes(one)).flatMap((one) => readParameter(reading, one));
  const requestBody = readBody(reading, ofBody, mediaTypes("consumes", node, root));
  return {
    ...operationHead(node),
    parameters: withPathParameters(path, parameters, node.place, reading.warnings),
    ...(requestBody && { requestBody }),
    responses: readResponses(reading, node.child("responses"), mediaTypes("produces", node, root)),
  };
}

function mediaTypes(key: "consumes" | "produces", operation: RawNode, root: RawNode): string[] {
  const list = operation.child(key) ?? root.child(key);
  return (
    list?.items().flatMap((item) => (typeof item.value === "string" && item.value !== "" ? [item.value] : [])) ?? []
  );
}

/** One address per scheme, https first. Without a host it is relative to where the description is from. */
function serversOf(root: RawNode): string[] {
  const host = root
    .text("host")
    ?.trim()
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/\/$/, "");
  const basePath = root.text("basePath")?.trim() ?? "";
  const path = basePath === "" || basePath === "/" ? "" : `/${basePath.replace(/^\//, "")}`;
  if (!host) return path === "" ? [] : [path];
  const named =
    root
      .child("schemes")
      ?.items()
      .map((item) => item.value) ?? [];
  const schemes = ["https", "http"].filter((scheme) => named.includes(scheme));
  return (schemes.length > 0 ? schemes : ["https"]).map((scheme) => `${scheme}://${host}${path}`);
}
