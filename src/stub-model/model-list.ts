const names = ["stub-model", "stub-model-2"];

/** The models as every wire lists them: each client finds its own fields and leaves the others. */
export function modelList(path: string): unknown {
  if (!path.endsWith("/models")) return undefined;
  const data = names.map((id) => ({
    id,
    object: "model",
    created: 0,
    owned_by: "dragoman",
    type: "model",
    display_name: id,
    created_at: "1970-01-01T00:00:00Z",
  }));
  const models = names.map((name) => ({
    name: `models/${name}`,
    displayName: name,
    supportedGenerationMethods: ["generateContent", "countTokens"],
  }));
  return { object: "list", data, has_more: false, first_id: names[0], last_id: names.at(-1), models };
}
