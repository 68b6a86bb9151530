import type { EventOf } from "../../core/events.ts";
import { BoundedMap } from "../bounded-map.ts";

type ToolKind = EventOf<"tool.requested">["kind"];

/** Calls that only look. What is not told may do anything. */
const looking: readonly ToolKind[] = ["read", "search", "fetch"];
/** A call that was refused was never made. */
const refused: readonly string[] = ["denied", "invalid_tool_args", "unknown_tool", "no_one_to_ask"];

/** Tools of ours whose work is there as a whole or not at all. Of others, nothing is known when they fail. */
const wholeOrNothing: readonly string[] = ["spec_save", "write", "edit"];
/** Errors that do not tell how far it came. */
const openEnded: readonly string[] = ["timeout", "tool_timeout", "internal"];

interface UnderWay {
  /** One that has failed has changed nothing. */
  isWhole: boolean;
  /** Somebody has to agree first. */
  waits: boolean;
}

/** What of a run's tools may have changed something, so that "No changes persisted" is said only where it is so. */
export class Changes {
  readonly #underWay = new BoundedMap<UnderWay>();
  #made = false;
  #unsure = false;

  requested({ callId, kind, tool }: EventOf<"tool.requested">): void {
    if (looking.includes(kind)) return;
    const isWhole = kind === "edit" && wholeOrNothing.includes(tool);
    this.#underWay.set(callId, { isWhole, waits: false });
  }

  asked({ callId, kind }: EventOf<"ask.opened">): void {
    const call = this.#underWay.get(callId ?? "");
    if (call && kind !== "tool") call.waits = true;
  }

  /** Of the ask about that call. */
  answered(callId: string): void {
    const call = this.#underWay.get(callId);
    if (call) call.waits = false;
  }

  finished({ callId, error }: EventOf<"tool.finished">): void {
    const call = this.#underWay.take(callId);
    if (!call) return;
    if (!error) this.#made = true;
    else if (refused.includes(error.code)) return;
    else if (!call.isWhole || openEnded.includes(error.code)) this.#unsure = true;
  }

  /** What there is to say of it when the run ends before its time, and nothing more of it follows. */
  end(): string {
    const isUnderWay = this.#underWay.takeAll().some(([, { waits }]) => !waits);
    if (isUnderWay) return "Something was being changed at that moment. Look whether it is there.";
    if (this.#made) return "What it had changed until then is kept.";
    return this.#unsure ? "Something may have been changed." : "No changes persisted.";
  }
}
