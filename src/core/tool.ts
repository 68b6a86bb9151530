import type * as z from "zod";
import type { Supervise } from "./supervision.ts";

/**
 * How much can go wrong. `read` looks at the workspace, `edit` changes files in it, `execute` runs what someone wrote, `publish`
 * reaches beyond this machine. Only `read` goes without saying.
 */
export type Risk = "read" | "edit" | "execute" | "publish";

/** What a list of tool calls draws an icon for. */
export const toolKinds = ["read", "edit", "execute", "search", "fetch", "other"] as const;
export type ToolKind = (typeof toolKinds)[number];

export interface ToolContext {
  /** The session's folder, without symlinks. */
  workspace: string;
  /** Whether the user trusts what the folder's own configuration would run, such as git hooks. */
  trusted: boolean;
  /** It is the client that would run it, in its own way. */
  byClient?: boolean;
}

/** A file or folder that a call would touch. */
export interface Target {
  /** As a person is shown it: from the workspace, where it lies in it. */
  path: string;
  /** Where it really is, symlinks followed; for one that does not exist yet, as far as the path exists. */
  real: string;
  outside: boolean;
  /** It decides what Dragoman itself may do: its configuration, rules, skills, git's hooks. */
  control: boolean;
  writes: boolean;
}

/** One simple command of a shell line. */
export interface Segment {
  /** As it is written in the line. */
  text: string;
  /** Its words without their quotes, the command's name first. */
  words: string[];
  /**
   * Why no rule can vouch for it by how it begins: what it does is not in its words (an expansion, a redirect, an assignment), or
   * it runs other commands in turn.
   */
  opaque?: string;
  /** The words of the commands that it runs in turn, as far as they can be seen, so that `sudo rm` is an `rm` for whoever denied it. */
  runs?: string[][];
}

export interface CommandLine {
  text: string;
  /** Every simple command in it, those in substitutions, functions and loops included. */
  segments: Segment[];
  /** Why they are not all known: it could not be parsed. It is then always asked about. */
  problem?: string;
}

/** What a call would do, worked out without doing any of it. The policy decides on it, and a person is shown it. */
export interface Intent {
  /** What is done, as a heading: "Write notes.txt". */
  title: string;
  /** One or a few lines more, such as the command or the commit's message. */
  detail?: string;
  targets: Target[];
  command?: CommandLine;
  /** The skill that is loaded, for rules with a `skill_name`. */
  skill?: string;
  /** The file that the diff is about. */
  path?: string;
  diff?: string;
  /**
   * A digest of what the person's answer relies on besides the arguments, such as the file's content now. When it differs at the
   * time of execution, they are asked again.
   */
  basis?: string;
}

export interface ToolIO {
  signal: AbortSignal;
  /** Something to show while it works. Resolves when there is room for more. */
  output(text: string): Promise<void>;
  /** As in `EngineIO`: what is to be killed when the run does not end by itself. */
  onKill(kill: () => void | Promise<void>): () => void;
  supervise: Supervise;
}

export interface ToolResult {
  /** JSON, for whoever asked for the call. */
  result: unknown;
  diff?: string;
}

/** What a client that runs a tool in our place is asked, where that is another call, and what comes of its answer. */
export interface ClientPart {
  tool?: string;
  args?: unknown;
  /** What it gave, in the form of this tool's own result; nothing where that cannot be told from it. */
  result(given: unknown): unknown;
}

/** What our own engines can do to a workspace. It throws a `DragomanError` that says what to do next. */
export interface Tool<Args = unknown> {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolKind;
  readonly risk: Risk;
  readonly args: z.ZodType<Args>;
  /** Changes nothing. Throws when the call cannot work, so that nobody is asked about it in vain. */
  intent(args: Args, context: ToolContext): Promise<Intent>;
  run(args: Args, context: ToolContext, io: ToolIO): Promise<ToolResult>;
  /** For a client that runs it. Without it the client is asked the same call, and its result is the result. */
  client?(args: Args, context: ToolContext): Promise<ClientPart>;
}

/** For a list of tools, each with arguments of its own. */
// biome-ignore lint/suspicious/noExplicitAny: a tool is only ever called with what its own schema gave
export type AnyTool = Tool<any>;

/**
 * What a call came to. After `denied` an engine goes on with what the person said, and stops its turn where they said nothing
 * (`goOn` is false).
 */
export type ToolReply =
  | { outcome: "done"; callId: string; result: unknown; diff?: string }
  | { outcome: "failed"; callId: string; code: string; message: string }
  | { outcome: "denied"; callId: string; message: string; goOn: boolean };
