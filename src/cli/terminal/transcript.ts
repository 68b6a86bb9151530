import type { Event, EventOf } from "../../core/events.ts";
import { plainText } from "../../core/plain-text.ts";
import { asksPerson } from "../../dialects/question.ts";
import type { AgentEvent, Message } from "../../dialects/ui/messages.ts";
import { isGenerating } from "../../operations/perform/clarify.ts";
import { AskLines, type AskLinesOptions } from "./ask-lines.ts";
import type { DrawnFrame } from "./event-frames.ts";
import { markdownRows, rowsOfText } from "./markdown-rows.ts";
import { brokenOff, changedSteps, planInRows, planLines, type Todo } from "./plan-lines.ts";
import { Said } from "./said.ts";
import type { Place } from "./screen.ts";
import { StepLines } from "./step-lines.ts";
import { wordRows } from "./text-width.ts";
import { ToolLines } from "./tool-lines.ts";
import { count, oneLine, reasonText, size } from "./wording.ts";

export interface TranscriptOptions extends AskLinesOptions {
  /** Thinking as it is, not folded into a line. */
  thinking: boolean;
  /** Prompts are drawn too: whoever reads did not type them. */
  prompts: boolean;
}

const PLAN_ROWS = 8;
type RunEnd = Extract<Message, { method: "run.status" }>["params"];

/** Draws a session: messages of `ui` in, lines out. It knows no terminal but its size. */
export class Transcript {
  readonly #place: Place;
  readonly #options: TranscriptOptions;
  readonly #tools: ToolLines;
  readonly #steps: StepLines;
  readonly #asks: AskLines;
  readonly #said = new Said();
  #plan: Todo[] | undefined;
  #thought = "";
  #unfolded: boolean;
  #lastKind: "none" | "text" | "work" = "none";
  /** Whether there was any thinking: else a key that shows it has nothing to show. */
  hasThoughts = false;
  /** Of the context that is left, in percent. */
  contextLeft: number | undefined;

  constructor(place: Place, options: TranscriptOptions) {
    this.#place = place;
    this.#options = options;
    this.#tools = new ToolLines(place);
    this.#steps = new StepLines(place);
    this.#asks = new AskLines(place, options);
    this.#unfolded = options.thinking;
  }

  /** The lines that a message adds for good. */
  take({ message, event }: DrawnFrame): string[] {
    if (!message) return this.#work([this.#place.paint.dim("the session was closed")]);
    switch (message.method) {
      case "agent.event":
        return this.#agentEvent(message.params.event, event);
      case "run.status":
        return this.#status(message.params, event);
      case "run.context":
        this.contextLeft = message.params.context_left_percent;
        return [];
      case "todos.update":
        return this.#updatePlan(message.params.todos);
      case "artifact.created": {
        const { name, bytes } = message.params;
        return this.#work([this.#place.paint.dim(`+ ${oneLine(name)}, ${size(bytes)}`)]);
      }
      case "run.lost": {
        const lost = message.params.lost.reduce((sum, { seqs }) => sum + seqs.length, 0);
        return this.#work([this.#place.paint.dim(`(${count(lost, "thought")} left out: the output was too slow)`)]);
      }
      case "session.gap": {
        const { from_seq, to_seq } = message.params;
        const pruned = `(pruned before this: ${count(to_seq - from_seq + 1, "event")})`;
        return [...this.#forgetRun(), ...this.#work([this.#place.paint.dim(pruned)])];
      }
      default:
        return event?.type === "ask.opened" && asksPerson(event) ? this.#put(event) : [];
    }
  }

  /** What is under way, below all that stays. */
  below(spinner: string): string[] {
    const { paint } = this.#place;
    const plan = this.#plan ? planInRows(this.#plan, paint, PLAN_ROWS) : [];
    return [...this.#steps.below(spinner), ...this.#tools.below(), ...plan];
  }

  /** From now on thinking is drawn whole, or folded again; the latest that was folded is given now. */
  toggleThinking(): string[] {
    this.#unfolded = !this.#unfolded;
    const thought = this.#thought;
    this.#thought = "";
    return this.#unfolded && thought ? this.#work(this.#thinkingLines(thought)) : [];
  }

  #agentEvent(said: AgentEvent, event: Event | undefined): string[] {
    const { paint } = this.#place;
    switch (said.type) {
      case "text": {
        const content = withoutProgress(said.content);
        this.#said.add(content);
        return this.#text(content);
      }
      case "final":
        return this.#said.has(said.content) ? [] : this.#text(said.content);
      case "reasoning":
        return this.#think(said.content);
      case "step_start":
        this.#said.pass();
        this.#steps.start(said.step_id, said.step_number, said.title);
        return [];
      case "step_complete":
        return this.#work(this.#steps.end(said.step_id, said.status === "error", said.duration_ms));
      case "tool_call":
        this.#said.pass();
        return event?.type === "tool.requested" ? this.#work(this.#tools.requested(event)) : [];
      case "tool_output":
        return event?.type === "tool.output" ? this.#work(this.#tools.output(event)) : [];
      case "tool_result":
        if (event?.type !== "tool.finished") return [];
        if (event.error) this.#steps.toldWhy();
        return this.#work(this.#tools.finished(event));
      case "compaction_complete":
        return this.#work([paint.dim("the context was compacted")]);
      default:
        return [];
    }
  }

  #status(status: RunEnd, event: Event | undefined): string[] {
    switch (event?.type) {
      case "run.started":
        return this.#start(event);
      case "ask.opened":
        return this.#ask(event);
      case "ask.closed":
        return this.#work(this.#asks.closed(event));
      case "note":
        return this.#note(event);
      case "run.completed":
      case "run.failed":
      case "run.cancelled":
        return this.#end(status);
      default:
        return [];
    }
  }

  #start(event: EventOf<"run.started">): string[] {
    this.#forgetRun();
    this.contextLeft = undefined;
    if (!this.#options.prompts) return [];
    const { paint, width } = this.#place;
    const [first = "", ...others] = rowsOfText(event.input.text, width - 2);
    const lines = [`${paint.cyan("›")} ${paint.bold(first)}`, ...others.map((row) => `  ${paint.bold(row)}`)];
    return this.#apart(lines, "text");
  }

  #ask(opened: EventOf<"ask.opened">): string[] {
    this.#asks.opened(opened);
    this.#tools.asked(opened.callId, opened.diff !== undefined);
    return this.#work(this.#steps.headings());
  }

  #put(opened: EventOf<"ask.opened">): string[] {
    const drawn = this.#work(this.#asks.put(opened));
    this.#lastKind = "work"; // what comes next is below the question, whoever draws it
    return drawn;
  }

  #note({ level, text }: EventOf<"note">): string[] {
    const { paint, width } = this.#place;
    const colour = level === "error" ? paint.red : paint.yellow;
    return this.#work(wordRows(`! ${oneLine(text)}`, width).map(colour));
  }

  #end({ status, message }: RunEnd): string[] {
    const { paint, width } = this.#place;
    const unfinished = this.#forgetRun();
    const why = message ? `: ${plainText(message)}` : "";
    if (status === "error") {
      return [...unfinished, ...this.#apart(rowsOfText(`✗ failed${why}`, width).map(paint.red), "work")];
    }
    if (status !== "cancelled") return unfinished;
    const cancelled = message ? `: ${reasonText(message)}` : "";
    return [
      ...unfinished,
      ...this.#apart(wordRows(`✗ cancelled${oneLine(cancelled)}`, width).map(paint.yellow), "work"),
    ];
  }

  /** Gives what is still to be seen of it. */
  #forgetRun(): string[] {
    const { live, paint, width } = this.#place;
    const calls = this.#work(this.#tools.giveUp());
    const plan = live && this.#plan ? this.#work(planLines(brokenOff(this.#plan), paint, width)) : [];
    this.#steps.forget();
    this.#said.forget();
    this.#plan = undefined;
    return [...calls, ...plan];
  }

  /** Where it can be drawn anew it stays below until nothing in it is left to do; elsewhere its changes are told. */
  #updatePlan(todos: Todo[]): string[] {
    const { live, paint, width } = this.#place;
    const before = this.#plan;
    const isOver = todos.every(({ status }) => status !== "pending" && status !== "in_progress");
    this.#plan = live && isOver ? undefined : todos;
    if (live) return isOver ? this.#work(planLines(todos, paint, width)) : [];
    return this.#work(planLines(before ? changedSteps(before, todos) : todos, paint, width));
  }

  #think(content: string): string[] {
    this.hasThoughts = true;
    if (this.#unfolded) return this.#work(this.#thinkingLines(content));
    this.#thought = content;
    const lines = content.trim().split("\n").length;
    return this.#work([this.#place.paint.dim(`  thinking … (${count(lines, "line")})`)]);
  }

  #thinkingLines(content: string): string[] {
    const { paint, width } = this.#place;
    return rowsOfText(content, width - 2).map((row) => paint.dim(`  ${row}`));
  }

  #text(content: string): string[] {
    if (content.trim() === "") return [];
    return this.#apart(markdownRows(content, this.#place), "text");
  }

  /** Steps that something happens in get their heading first. */
  #work(lines: string[]): string[] {
    if (lines.length === 0) return [];
    if (this.#lastKind === "none" && lines[0] === "") return this.#work(lines.slice(1));
    return this.#lastKind === "text" && lines[0] !== "" ? this.#apart(lines, "work") : this.#inStep(lines, "work");
  }

  /** With an empty line before it. */
  #apart(lines: string[], kind: "text" | "work"): string[] {
    if (lines.length === 0) return [];
    return this.#inStep(this.#lastKind === "none" ? lines : ["", ...lines], kind);
  }

  #inStep(lines: string[], kind: "text" | "work"): string[] {
    this.#lastKind = kind;
    const headings = this.#steps.headings();
    // What is done belongs to its heading, and both are apart from what was said before.
    const isApart = kind === "work" && headings.length > 0 && lines[0] === "" && lines.length > 1;
    return isApart ? ["", ...headings, ...lines.slice(1)] : [...headings, ...lines];
  }
}

/** The step above and the questions below say as much. */
function withoutProgress(text: string): string {
  if (!text.includes("Generating clarification question ")) return text;
  return text
    .split("\n")
    .filter((line) => !isGenerating(line))
    .join("\n");
}
