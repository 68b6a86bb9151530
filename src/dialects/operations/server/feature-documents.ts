import type * as z from "zod";
import { DragomanError } from "../../../core/errors.ts";
import { plainText } from "../../../core/plain-text.ts";
import type { Caller } from "../../../core/roles.ts";
import type { DocumentName } from "../../../operations/documents.ts";
import type { FeatureInfo, Saved, StoredDocument } from "../../../operations/features/feature-store.ts";
import type { calls } from "../calls.ts";
import { demandPush } from "./roles.ts";
import type { Services } from "./services.ts";

type Written = Pick<z.output<(typeof calls)["PUT /features/{id}/spec"]["params"]>, "content" | "message" | "push"> & {
  /** The etag that it must have now; "*": any, but it must be there; null: it must not be. */
  ifMatch?: string | null;
};
type Created = z.output<(typeof calls)["POST /features"]["params"]>;

export type SavedDocument = StoredDocument & Omit<Saved, "documents">;

/** The documents of features, read and written for callers who may. */
export class FeatureDocuments {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  async list(limit: number): Promise<FeatureInfo[]> {
    const features = await this.#services.features.list(limit);
    return features.map((feature) => ({
      ...feature,
      ...(feature.title !== undefined && { title: plainText(feature.title) }),
    }));
  }

  read(feature: string): Promise<StoredDocument[]> {
    return this.#services.features.read(feature);
  }

  async readOne(feature: string, name: DocumentName): Promise<StoredDocument> {
    const [document] = await this.#services.features.read(feature, [name]);
    if (document) return document;
    const advice = `Write it first, by PUT /api/v1/features/${feature}/${name}.`;
    throw new DragomanError("document_not_found", `The feature ${feature} has no ${name}. ${advice}`);
  }

  async save(feature: string, name: DocumentName, written: Written, caller: Caller): Promise<SavedDocument> {
    demandPush(written.push, this.#services.features, caller);
    const { content, message = `${feature}: write ${name}.md` } = written;
    const ifMatch = written.ifMatch === "*" ? (await this.#present(feature, name)).etag : written.ifMatch;
    return this.#save(feature, { name, content, ifMatch }, { message, push: written.push, by: caller.name });
  }

  /** Fails where there is such a feature already. */
  async create({ id, title = id, content = emptySpec(title), push }: Created, caller: Caller): Promise<SavedDocument> {
    demandPush(push, this.#services.features, caller);
    const known = await this.#services.features.read(id).catch((error) => {
      if (error instanceof DragomanError && error.code === "document_not_found") return [];
      throw error;
    });
    const change = { name: "spec", content, ifMatch: null } as const;
    if (known.length > 0) throw isThere(id);
    return this.#save(id, change, { message: `${id}: new feature`, push, by: caller.name }).catch((error) => {
      throw error instanceof DragomanError && error.code === "precondition_failed" ? isThere(id) : error;
    });
  }

  async #save(
    feature: string,
    change: { name: DocumentName; content: string; ifMatch?: string | null },
    options: { message: string; push?: boolean; by: string },
  ): Promise<SavedDocument> {
    const { features, push } = this.#services;
    const { documents, ...saved } = await features.save(feature, [change], { push, ...definedIn(options) });
    const { path = "", etag = "" } = documents.find(({ name }) => name === change.name) ?? {};
    return { name: change.name, path, content: change.content, etag, ...saved };
  }

  async #present(feature: string, name: DocumentName): Promise<StoredDocument> {
    try {
      return await this.readOne(feature, name);
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code !== "document_not_found") throw error;
      throw new DragomanError("precondition_failed", `The ${name} is not there. Write it without If-Match.`);
    }
  }
}

/** Without what is undefined, which would hide a default. */
function definedIn<T extends { push?: boolean }>({ push, ...rest }: T) {
  return { ...rest, ...(push !== undefined && { push }) };
}

function isThere(feature: string): DragomanError {
  return new DragomanError(
    "conflict",
    `There is a feature ${feature} already. Choose another id, or change its documents.`,
  );
}

/** The shape of a spec, with what is to be filled in. */
function emptySpec(title: string): string {
  const name = plainText(title).replaceAll("\n", " ");
  return `# Feature Specification: ${name}

## User Scenarios & Testing

### User Story 1 - [Title] (Priority: P1)

[NEEDS CLARIFICATION: who wants what, and why?]

**Acceptance Scenarios**:

1. **Given** [state], **When** [action], **Then** [outcome]

### Edge Cases

- [NEEDS CLARIFICATION: what happens when something is missing, too large, or fails?]

## Requirements

### Functional Requirements

- **FR-001**: System MUST [NEEDS CLARIFICATION: what must it do?]

## Success Criteria

### Measurable Outcomes

- **SC-001**: [NEEDS CLARIFICATION: how is it measured that it works?]
`;
}
