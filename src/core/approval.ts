import { createHash } from "node:crypto";
import type { AskReply, ConfirmAnswer } from "./engine.ts";
import { DragomanError } from "./errors.ts";
import type { Question } from "./events.ts";
import { type Decision, described } from "./policy.ts";
import type { Intent } from "./tool.ts";

// How a person is asked about a tool call, and what their answer comes to.

export type AskDecision = Extract<Decision, { verdict: "ask" }>;

/** A call that someone has to agree to. */
export interface Proposal {
  callId: string;
  tool: string;
  args: unknown;
  intent: Intent;
  decision: AskDecision;
  digest: string;
}

export function approvalQuestion({ callId, tool, args, intent, decision, digest }: Proposal): Question {
  return {
    kind: "confirm",
    title: `${intent.title}?`,
    message: approvalMessage(intent, decision),
    callId,
    tool,
    args,
    path: intent.path,
    diff: intent.diff,
    danger: decision.danger || undefined,
    confirmLabel: "Yes",
    cancelLabel: "No",
    allowRemember: decision.remember.length > 0,
    allowReason: true,
    digest,
  };
}

export function approvalMessage({ detail }: Intent, { why, remember }: AskDecision): string {
  const rules = remember.length > 0 ? `If remembered for this workspace: ${remember.map(described).join("; ")}` : "";
  return [detail ?? "", why, rules].filter((part) => part !== "").join("\n\n");
}

/** What a yes is bound to. */
export function approvalDigest(tool: string, args: unknown, workspace: string, runId: string, intent: Intent): string {
  const targets = intent.targets.map(({ real, writes }) => [real, writes]);
  const bound = JSON.stringify([tool, args, workspace, runId, targets, intent.basis ?? null]);
  return createHash("sha256").update(bound).digest("hex");
}

/** A decision against the call. An engine goes on with what was said, and stops where nothing was. */
export class Denied extends Error {
  constructor(
    message: string,
    readonly goOn: boolean,
    /** A person's own words, which nobody else knows. */
    readonly reason?: string,
  ) {
    super(message);
  }
}

/** A no. */
export const refusal = (reason: string | undefined) =>
  new Denied(reason || "The user said no.", Boolean(reason), reason || undefined);

export function confirmed(reply: AskReply): ConfirmAnswer {
  switch (reply.outcome) {
    case "answered":
      return reply.answer as ConfirmAnswer;
    case "withdrawn":
      throw new DragomanError("cancelled", "The question was withdrawn before anyone answered it.");
    case "expired":
      throw new Denied("Nobody answered in time.", true);
    case "denied":
      throw new Denied("It needs someone's yes, and no one is attached who could give it.", true);
  }
}
