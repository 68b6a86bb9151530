import type * as z from "zod";
import type { PlanStep } from "../../core/events.ts";
import { derivedId } from "../../core/ids.ts";
import { CallBook, type CallsAround, type Permitted } from "./call-book.ts";
import { textOf } from "./call-content.ts";
import { type Text, type TextFailure, Texts } from "./texts.ts";
import type { Usage } from "./usage.ts";
import {
  chunkSchema,
  noticeSchema,
  planSchema,
  type ToolCallTold,
  toolCallSchema,
  type Update,
  usageSchema,
} from "./wire.ts";

/** More of an answer is told, but not kept for the result. */
const LONGEST_ANSWER = 1024 * 1024;

export interface Narrated extends CallsAround {
  usage: Usage;
  textsAreErrors: boolean;
}

/** Tells a run's events from what the agent says of its session. */
export class Narration {
  readonly calls: CallBook;
  readonly usage: Usage;
  readonly #about: Narrated;
  readonly #texts: Texts;
  #answer = "";
  #message: string | undefined;
  /** What is said next is apart from what was said before. */
  #isApart = false;
  #hasModelText = false;

  constructor(about: Narrated) {
    this.#about = about;
    this.usage = about.usage;
    this.calls = new CallBook(about);
    this.#texts = new Texts(about.textsAreErrors);
  }

  /** All that was said, as it was told piece by piece. */
  get answer(): string {
    return this.#answer.trim();
  }

  /** Changes with whatever it says or does. */
  get progress(): string {
    return `${this.calls.ids.size} ${this.#answer.length}`;
  }

  /** Whether the model itself has said anything: what Codex adds belongs to no message. */
  get hasModelText(): boolean {
    return this.#hasModelText;
  }

  async tell(update: Update): Promise<void> {
    if (Object.hasOwn(rows, update.sessionUpdate)) await rows[update.sessionUpdate]?.(this, update);
  }

  async note(level: "debug" | "info" | "warning", text: string): Promise<void> {
    await this.#about.io.emit({ type: "note", level, text, source: this.#about.source });
  }

  /** A turn has ended. A run may have several. */
  async endTurn(): Promise<TextFailure | undefined> {
    const failure = this.#texts.failure();
    await this.#beginPart();
    return failure;
  }

  async say(text: string, messageId?: string): Promise<void> {
    if (text === "") return;
    await this.calls.tellHeld();
    if (messageId !== undefined) this.#hasModelText = true;
    const isNext = this.#message !== undefined && messageId !== undefined && messageId !== this.#message;
    if (isNext) await this.#beginPart();
    this.#message = messageId ?? this.#message;
    await this.#tellTexts(this.#texts.add(text));
  }

  async think(text: string): Promise<void> {
    await this.calls.tellHeld();
    await this.#workOn();
    if (text !== "") await this.#about.io.emit({ type: "thinking.delta", text });
  }

  /** What is told of a call that goes on meanwhile does not come between two words. */
  async tellCall(told: ToolCallTold, isUpdate: boolean): Promise<void> {
    if (this.calls.ids.has(told.toolCallId)) await this.#workOn();
    else await this.#beginPart();
    await this.calls.tell(told, isUpdate);
  }

  /** A question tells of a call as well. */
  async permit(asked: ToolCallTold): Promise<Permitted> {
    await this.#beginPart();
    return this.calls.permit(asked);
  }

  async plan(steps: PlanStep[]): Promise<void> {
    await this.#workOn();
    const planId = derivedId(this.#about.turn.runId, "plan");
    await this.#about.io.emit({ type: "plan.updated", planId, steps });
  }

  async tellUsage(): Promise<void> {
    await this.calls.tellHeld();
    await this.#tellTexts(this.#texts.pause());
    await this.#about.io.emit(this.usage.event());
  }

  async #workOn(): Promise<void> {
    await this.#tellTexts(this.#texts.next());
  }

  /** Something was done meanwhile, or another message begins. */
  async #beginPart(): Promise<void> {
    await this.#workOn();
    this.#isApart = true;
    this.#message = undefined;
  }

  async #tellTexts(texts: Text[]): Promise<void> {
    for (const { is, text } of texts) {
      if (is === "info") await this.note("info", text);
      else await this.#tellAnswer(text);
    }
  }

  /** Whoever joins the pieces gets the answer, with an empty line between two parts. */
  async #tellAnswer(piece: string): Promise<void> {
    const isNextPart = this.#isApart && this.#answer !== "";
    if (isNextPart && piece.trim() === "") return;
    this.#isApart = false;
    const text = isNextPart ? breakAfter(this.#answer) + piece : piece;
    if (this.#answer.length < LONGEST_ANSWER) this.#answer += text;
    await this.#about.io.emit({ type: "text.delta", text, of: "answer" });
  }
}

function breakAfter(text: string): string {
  if (text.endsWith("\n\n")) return "";
  return text.endsWith("\n") ? "\n" : "\n\n";
}

type Row = (to: Narration, update: unknown) => Promise<void> | undefined;

/** What is not as it should be is left out. */
function row<S extends z.ZodType>(schema: S, tell: (to: Narration, update: z.infer<S>) => Promise<void>): Row {
  return (to, update) => {
    const { data, success } = schema.safeParse(update);
    return success ? tell(to, data) : undefined;
  };
}

/** Updates that have no row are not for a log, or not known. Those about modes and models are the agent's, whether there is a run or not. */
const rows: Record<string, Row> = {
  agent_message_chunk: row(chunkSchema, (to, { content, messageId }) =>
    to.say(textOf(content), messageId ?? undefined),
  ),
  agent_thought_chunk: row(chunkSchema, (to, { content }) => to.think(textOf(content))),
  tool_call: row(toolCallSchema, (to, told) => to.tellCall(told, false)),
  tool_call_update: row(toolCallSchema, (to, told) => to.tellCall(told, true)),
  plan: row(planSchema, (to, { entries }) => to.plan(entries.map(stepOf))),
  usage_update: row(usageSchema, async (to, { used, size, cost }) => {
    to.usage.update(used, size, cost?.amount);
    await to.tellUsage();
  }),
  notice: row(noticeSchema, async (to, { severity, title, description }) => {
    const text = [title, description].filter(Boolean).join(": ");
    await to.note(severity === "warning" || severity === "error" ? "warning" : "info", text);
  }),
};

function stepOf({ content, status }: { content: string; status: string }, index: number): PlanStep {
  const known = status === "in_progress" ? "running" : status === "completed" ? "done" : "pending";
  return { stepId: String(index + 1), description: content, status: known };
}
