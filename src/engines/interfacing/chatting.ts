import type { RunResult } from "../../core/events.ts";
import { wholeVersion } from "../../core/versions.ts";
import type { Stage } from "./stage.ts";
import { worked } from "./worked.ts";

// What a host's chat is told beside what the engine says: what one could do next, and where there is no model, what is known of interfaces.

interface Topic {
  about: RegExp;
  says: string;
}

const topics: Topic[] = [
  {
    about:
      /\b(?:which|what)\b.*\b(?:formats?|specs?|specifications?|descriptions?|schemas?|api types?)\b.*\b(?:support|accept|take|understand|read|use|work|import|know)|\bsupported formats?\b|\bdo you (?:support|read|accept) (?:openapi|swagger|graphql)/i,
    says: "I support OpenAPI 3.0, 3.1 and 3.2, Swagger 2.0, and GraphQL schemas (SDL or an introspection result), as JSON or YAML, up to 50 MB. You can provide them as a file, by URL, or by pasting them.",
  },
  {
    about:
      /\bhow (?:do|can|could) (?:i|we|you)\b.*\b(?:change|customi[sz]e|edit|modify|adapt|style)\b|\bwhat can (?:i|we|you) (?:change|customi[sz]e|edit)\b/i,
    says: "Say what should be otherwise, in your own words: which columns and fields are shown, in which order and under which names, as a table, cards or a board, how lists are sorted, filtered and paged, what is asked before, the colours, the density, the navigation. Each change is a version that you can compare and go back to.",
  },
  {
    about:
      /\bhow (?:do|can|could) (?:i|we)\b.*\b(?:connect|use|call|reach)\b.*\bapi\b|\b(?:real|live) (?:data|api)\b|\bsample data\b/i,
    says: "The interface starts on sample data. Connect it to the API with its address and your credentials: those stay with the host, and are never in the page that runs the interface.",
  },
  {
    about: /\bhow (?:do|can|could) (?:i|we)\b.*\b(?:undo|revert|go back|roll ?back)\b/i,
    says: "Say “undo” to take the last change back, or choose any earlier version and revert to it. Nothing is lost: a revert is a new version.",
  },
];

export interface ChatContext {
  hasActiveSpec?: unknown;
  hasActiveInterface?: unknown;
}

/** What can be said without a model; undefined: it is for the engine. */
export async function answerAboutInterfaces(
  stage: Stage,
  context: ChatContext | undefined,
): Promise<string | undefined> {
  const { text } = stage.turn.input;
  const known = topics.find(({ about }) => text.length <= 300 && about.test(text));
  if (known) return known.says;
  return context?.hasActiveInterface === true ? changeMeant(stage) : undefined;
}

/** A request that came by the way for talking. */
async function changeMeant({ turn, io, signal }: Stage): Promise<string | undefined> {
  const prompt = turn.input.text;
  const latest = prompt.length <= 300 ? await wholeVersion(io.log) : undefined;
  if (!latest) return undefined;
  const meant = await worked(signal, "customize", { code: latest.result.code, prompt });
  if (meant.kind === "declined") return undefined;
  const would = meant.kind === "changed" ? meant.description : meant.question;
  return `That is a change of the interface, so ask for it as one (customize). It would come to this: ${would}`;
}

const beginnings = ["Upload a spec file", "Paste a URL", "Paste spec content"];

/** What one could do next. */
export async function suggestionsFor({ io, signal }: Stage, context: ChatContext): Promise<string[]> {
  const latest = await wholeVersion(io.log);
  if (latest) return worked(signal, "suggest", { code: latest.result.code });
  if (context.hasActiveInterface === true) return ["Dark mode", "20 per page", "Ask before deleting"];
  return context.hasActiveSpec === true ? ["Generate the interface"] : beginnings;
}

export async function chatResult(stage: Stage, text: string, context: ChatContext | undefined): Promise<RunResult> {
  await stage.io.emit({ type: "text.delta", text, of: "answer" });
  return withSuggestions(stage, { text }, context);
}

/** Those of the engine itself come first. */
export async function withSuggestions(
  stage: Stage,
  result: RunResult,
  context: ChatContext | undefined,
): Promise<RunResult> {
  if (!context || result.data?.suggestions !== undefined) return result;
  return { ...result, data: { ...result.data, suggestions: await suggestionsFor(stage, context) } };
}
