import * as z from "zod";
import { resultOfOtherForm } from "../../core/client-tool.ts";
import type { EngineIO } from "../../core/engine.ts";
import { DragomanError, errorCodes } from "../../core/errors.ts";
import type { ToolReply } from "../../core/tool.ts";
import { type DocumentName, type Documents, documentNames } from "../documents.ts";
import type { Change, Saved, StoredDocument } from "../features/feature-store.ts";
import type { OperationRequest } from "./request.ts";

const readSchema = z.object({
  documents: z.array(
    z.object({ name: z.enum(documentNames), path: z.string(), content: z.string(), etag: z.string() }),
  ),
  today: z.string(),
  place: z.string(),
});

/** What the tool gave: also the date comes from there, so that a run that is done over writes the same. */
export interface Read {
  documents: Partial<Record<DocumentName, StoredDocument>>;
  today: string;
  /** The folder, as it is shown. */
  place: string;
}

/** The documents of an operation, read and saved by tools under the policy. */
export class FeatureFiles {
  readonly #io: EngineIO;
  readonly #request: OperationRequest;

  constructor(io: EngineIO, request: OperationRequest) {
    this.#io = io;
    this.#request = request;
  }

  async read(): Promise<Read> {
    const reply = await this.#io.tool("spec_read", this.#request.target);
    const parsed = readSchema.safeParse(resultOf(reply, "The documents could not be read"));
    if (!parsed.success) throw resultOfOtherForm("spec_read", parsed.error);
    const { documents, today, place } = parsed.data;
    const binary = documents.find(({ content }) => content.includes("\0"));
    if (binary) {
      throw new DragomanError(
        "spec_invalid",
        `${binary.path} is not text: it has NUL characters in it. Name a Markdown file.`,
      );
    }
    return { documents: Object.fromEntries(documents.map((document) => [document.name, document])), today, place };
  }

  /** All or nothing. */
  async save(changes: Change[], message: string): Promise<Saved> {
    const { target, push } = this.#request;
    const reply = await this.#io.tool("spec_save", {
      ...target,
      changes,
      message,
      ...(push !== undefined && { push }),
    });
    return resultOf(reply, "Nothing was saved") as Saved;
  }
}

export function contentsOf({ documents }: Read): Documents {
  return Object.fromEntries(Object.values(documents).map(({ name, content }) => [name, content]));
}

/** The spec, which most operations cannot do without. */
export function specIn({ documents, place }: Read, name: string): StoredDocument {
  const { spec } = documents;
  if (!spec) {
    const message = `There is no spec.md in ${place}, and ${name} needs one. Describe there what is wanted, then try again.`;
    throw new DragomanError("document_not_found", message);
  }
  if (spec.content.trim() === "") {
    const message = `${spec.path} is empty. Describe there what is wanted, then try again.`;
    throw new DragomanError("spec_invalid", message);
  }
  return spec;
}

function resultOf(reply: ToolReply, what: string): unknown {
  if (reply.outcome === "done") return reply.result;
  if (reply.outcome === "denied") throw new DragomanError("denied", `${what}: ${reply.message}`);
  const code = errorCodes.find((known) => known === reply.code) ?? "tool_failed";
  throw new DragomanError(code, reply.message);
}
