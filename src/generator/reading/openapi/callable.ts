import type { Endpoint, Model } from "../../normalized-spec.ts";
import type { RawNode } from "../raw-node.ts";
import { specInvalid, type Warnings } from "../warnings.ts";

/** A description without anything to call gives no interface; the error says what it has instead, or what was left out and why. */
export function demandEndpoints(endpoints: Endpoint[], root: RawNode, warnings: Warnings): void {
  if (endpoints.length > 0) return;
  const webhooks = root.child("webhooks");
  if (webhooks && webhooks.keys().length > 0) {
    throw specInvalid(
      webhooks.place,
      "The description has only webhooks, which the API calls. Give one whose paths have operations to call",
    );
  }
  const [leftOut] = warnings.list();
  if (leftOut) throw specInvalid(leftOut.place, `The description has no usable operation. ${leftOut.message}`);
  throw specInvalid(
    root.child("paths")?.place ?? `${root.file.label}/paths`,
    "The description has no operation. Give one whose paths have at least one, such as get",
  );
}

/** Only when all models are read is it known what a parameter that refers to one holds. */
export function nameParameterTypes(endpoints: Endpoint[], models: Model[]): void {
  const byName = new Map(models.map((model) => [model.name, model]));
  for (const parameter of endpoints.flatMap((endpoint) => endpoint.parameters)) {
    let ref = parameter.schema?.ref;
    while (parameter.type === "any" && ref !== undefined) {
      const model = byName.get(ref);
      parameter.type = model?.type ?? "any";
      ref = model?.ref;
    }
  }
}
