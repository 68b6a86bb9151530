import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Event, EventOf, NewEvent } from "../core/events.ts";
import { foldAfter, foldAll, profilesOf } from "./contract.ts";
import type { Dialect } from "./dialect.ts";
import { dialects } from "./index.ts";
import { markdownFold } from "./markdown.ts";

// What real agents say, and engines of ours do not: tools under names of their own, several calls at once that end in another order,
// thoughts and counts of tokens between everything, output without end, and the id of a session that is theirs alone.

const runId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
const AGENT_SESSION = "c0p1l07-s3551on";

type InRun = NewEvent extends infer E ? (E extends { runId?: string } ? Omit<E, "runId"> : never) : never;

const logOf = (inRun: InRun[], end: InRun): Event[] =>
  [
    { type: "session.created", workspace: "/w", engine: "copilot", model: "gpt-5" } as const,
    {
      type: "run.started",
      runId,
      kind: "prompt",
      input: { text: "" },
      by: { dialect: "test" },
      model: "gpt-5",
    } as const,
    { type: "session.updated", agentSession: { engine: "copilot", id: AGENT_SESSION } } as const,
    ...[...inRun, end].map((event) => ({ ...event, runId })),
  ].map((event, index) => ({ ...event, seq: index + 1, at: 1_771_424_625_000 + index }) as Event);

const completed: InRun = { type: "run.completed", result: { text: "" } };
const failed: InRun = { type: "run.failed", error: { code: "engine_failed", message: "-", data: { status: 500 } } };

// Of what is said, and of what tools write, each letter is another one, so that none can be taken for another.
const SAID = /[\u4e00-\u9fff]/g;
const WRITTEN = /[\uac00-\ud7a3]/g;

function marked(events: InRun[]): InRun[] {
  let [said, written] = [0x4e00, 0xac00];
  return events.map((event) => {
    if (event.type === "text.delta") return { ...event, text: event.text.replace(/x/g, () => letter(said++)) };
    if (event.type === "tool.output") return { ...event, text: event.text.replace(/x/g, () => letter(written++)) };
    return event;
  });
}
const letter = (code: number) => String.fromCharCode(code);

const lettersOf = (events: Event[], of: RegExp, callId?: string) =>
  events.flatMap((event) => {
    if (!("text" in event) || (callId !== undefined && (!("callId" in event) || event.callId !== callId))) return [];
    return event.text.match(of) ?? [];
  });

/** A thread of what an agent does: one call from its request to its end, with its output and perhaps a question about it. */
const call = (callId: string): fc.Arbitrary<InRun[]> =>
  fc
    .record({
      tool: fc.constantFrom("bash", "create", "exec_command", "str_replace_editor", "read", "mcp__jira__search"),
      kind: fc.constantFrom("execute" as const, "edit" as const, "read" as const, "other" as const, undefined),
      title: fc.constantFrom("Run the tests", "mcp: \u001b[31msearch", undefined),
      outputs: fc.array(fc.constantFrom("x", "x\n", "x\nx", "\n", "xx x\n\n"), { maxLength: 6 }),
      asks: fc.boolean(),
      askId: fc.uuid({ version: 4 }),
      end: fc.constantFrom("done", "failed", "cancelled", "open"),
    })
    .map(({ tool, kind, title, outputs, asks, askId, end }): InRun[] => {
      const args = { command: "npm test", path: "a.ts" };
      const about = { kind: "confirm" as const, title: "May it?", message: "", callId, tool, args };
      const by = { dialect: "ui" };
      const error = { code: end === "failed" ? ("tool_failed" as const) : ("cancelled" as const), message: "-" };
      return [
        { type: "tool.requested", callId, tool, args, title, kind },
        ...(asks ? [{ type: "ask.opened" as const, askId, expiresAt: 1_800_000_000_000, ...about }] : []),
        ...(asks
          ? [{ type: "ask.closed" as const, askId, outcome: "answered" as const, answer: { ok: true }, by }]
          : []),
        ...outputs.map((text) => ({ type: "tool.output" as const, callId, text })),
        ...(end === "open"
          ? []
          : [
              {
                type: "tool.finished" as const,
                callId,
                durationMs: 1,
                ...(end === "done" ? { result: {} } : { error }),
              },
            ]),
      ];
    });

const speech: fc.Arbitrary<InRun[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .constantFrom("x", "xx ", "x\n", "\n", "x\n\n")
        .map((text): InRun => ({ type: "text.delta", text, of: "answer" })),
    },
    fc.constantFrom("hm", "hm\n", "\n").map((text): InRun => ({ type: "thinking.delta", text })),
    fc
      .nat({ max: 128_000 })
      .map(
        (used): InRun => ({ type: "usage.updated", contextUsed: used, contextSize: 128_000, input: used, output: 1 }),
      ),
    fc
      .constantFrom("pending" as const, "running" as const, "done" as const)
      .map(
        (status): InRun => ({ type: "plan.updated", planId: "p", steps: [{ stepId: "1", description: "-", status }] }),
      ),
    fc
      .constantFrom("warning" as const, "info" as const)
      .map((level): InRun => ({ type: "note", level, text: "-", source: "copilot" })),
  ),
  { maxLength: 20 },
);

/** The threads at once, in any order between them. */
const agentLog = fc
  .tuple(
    speech,
    call("c1"),
    call("c2"),
    call("c3"),
    fc.infiniteStream(fc.nat({ max: 3 })),
    fc.constantFrom(completed, failed),
  )
  .map(([...drawn]) => {
    const [words, one, two, three, order, end] = drawn;
    const threads = [words, one, two, three].map((events) => [...events]);
    const merged: InRun[] = [];
    for (const next of order) {
      const left = threads.filter((thread) => thread.length > 0);
      const event = left[next % Math.max(1, left.length)]?.shift();
      if (!event) break;
      merged.push(event);
    }
    return logOf(marked(merged), end);
  });

/** What a message tells of a call. */
interface Told {
  start?: { callId: string; tool: string };
  output?: { callId: string; text: string };
  end?: { callId: string };
}

// biome-ignore lint/suspicious/noExplicitAny: what is read off the wire is compared, not used
type Wire = any;

/** How each protocol tells of calls. `operations` has lines for people, and of each line to which call it belongs. */
const readers: Record<string, (message: Wire) => Told> = {
  ui: ({ params: { event = {} } }) => {
    const { type, tool_call_id: callId, tool, content: text } = event;
    if (type === "tool_call") return { start: { callId, tool } };
    if (type === "tool_output") return { output: { callId, text } };
    return type === "tool_result" ? { end: { callId } } : {};
  },
  studio: ({ params }) => {
    if (params?.kind !== "tool") return {};
    const { callId, tool, status } = params;
    return status === "running" ? { start: { callId, tool } } : { end: { callId } };
  },
  operations: ({ metadata, content }) =>
    metadata?.subsection ? { output: { callId: metadata.subsection, text: content } } : {},
  sidecar: ({ event, data }) => {
    if (event !== "timeline.toolCall") return {};
    const { callId, toolName: tool, status, output } = data;
    if (output !== undefined) return { output: { callId, text: output } };
    return status === "running" ? { start: { callId, tool } } : { end: { callId } };
  },
  live: ({ type, data }) => {
    const { call_id: callId, name: tool, output } = data;
    if (type === "tool_call_request") return { start: { callId, tool } };
    if (type === "tool_execution_status" && output !== undefined) return { output: { callId, text: output } };
    return type === "tool_call_response" ? { end: { callId } } : {};
  },
};

/** A name of ours that an agent's tool has, too, is told as ours is. */
const wireNames: Record<string, Record<string, string>> = { sidecar: { read: "fs.read" } };
/** What a run leaves open is closed by these when it ends. */
const closing = ["sidecar", "live"];

/** Where models are named: on `live` by each message that an agent begins, too; on `operations` by the connection, and by REST. */
const namedAt: Record<string, number[][]> = { live: [[1, 2, 3, 7], [4], [10, 11]], operations: [[], [], []] };

function toldOf(dialect: Dialect, events: Event[]): Told[] {
  const frames = foldAll(dialect, events, profilesOf(dialect).most);
  return frames.map(({ message }) => readers[dialect.name]?.(message) ?? {});
}

function expectCalls(dialect: Dialect, events: Event[]): void {
  const told = toldOf(dialect, events);
  const { name } = dialect;
  for (const event of events) {
    if (event.type !== "tool.requested") continue;
    const { callId, tool } = event;
    const isEnded = events.some((one) => one.type === "tool.finished" && one.callId === callId);
    const starts = told.flatMap(({ start }) => (start?.callId === callId ? [start.tool] : []));
    const ends = told.filter(({ end }) => end?.callId === callId);
    if (name !== "operations") expect(starts).toEqual([wireNames[name]?.[tool] ?? tool]);
    if (name !== "operations") expect(ends).toHaveLength(isEnded || closing.includes(name) ? 1 : 0);
    const output = told.flatMap((one) => (one.output?.callId === callId ? [one.output.text] : [])).join("");
    if (name !== "studio") expect(output.match(WRITTEN) ?? []).toEqual(lettersOf(events, WRITTEN, callId));
  }
}

describe.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
  "an agent's run, told in %s,",
  (_, dialect) => {
    const { most, least } = profilesOf(dialect);

    test("has valid messages, whatever comes between what, and the same bytes after any cut", () => {
      fc.assert(
        fc.property(agentLog, (events) => {
          for (const profile of [most, least]) {
            const frames = foldAll(dialect, events, profile);
            for (const { message, text } of frames) {
              const onTheWire = JSON.parse(JSON.stringify(message));
              expect(dialect.message.safeParse(onTheWire).error?.issues ?? [], text).toEqual([]);
            }
            for (let cut = 2; cut < events.length; cut += 5) {
              const rest = frames.filter(({ seq }) => seq > cut).map(({ text }) => text);
              expect(foldAfter(dialect, events, cut, profile).map(({ text }) => text)).toEqual(rest);
            }
          }
        }),
        { numRuns: 40 },
      );
    });

    test("has all that was said, once and in order, also where it fails afterwards", () => {
      fc.assert(
        fc.property(agentLog, (events) => {
          const all = foldAll(dialect, events, most)
            .map(({ text }) => text)
            .join("");
          expect(all.match(SAID) ?? []).toEqual(lettersOf(events, SAID));
        }),
        { numRuns: 100 },
      );
    });

    test("has each call once, under the agent's own name, with its own output and one end, in whichever order they end", () => {
      fc.assert(
        fc.property(agentLog, (events) => expectCalls(dialect, events)),
        { numRuns: 100 },
      );
    });

    test("has nothing of the agent's own session", () => {
      const say: InRun = { type: "text.delta", text: "x", of: "answer" };
      const events = logOf([say, say], completed);
      const told = foldAll(dialect, events, most);
      expect(told.map(({ text }) => text).join("")).not.toContain(AGENT_SESSION);
      expect(told.filter(({ seq }) => seq === 3)).toEqual([]);
    });

    test("has the model of each run where it begins, and a change of the session where it is made, after any cut", () => {
      const say = (of: string) => ({ type: "text.delta", runId: of, text: "x", of: "answer" }) as const;
      const call = { type: "tool.requested", runId, callId: "c", tool: "bash", args: {} } as const;
      const [created, started, ...run] = logOf([], completed);
      const change = { type: "session.updated", engine: "codex", model: "o3" } as const;
      const next = {
        ...(started as EventOf<"run.started">),
        runId: "7f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10",
        model: "o4",
      };
      const events = [
        created,
        started,
        say(runId),
        change,
        say(runId),
        call,
        say(runId),
        ...run,
        next,
        say(next.runId),
      ].map((event, index) => ({ ...event, seq: index + 1, at: 1_771_424_625_000 + index }) as Event);
      const frames = foldAll(dialect, events, most);
      const naming = (model: string) => frames.flatMap(({ seq, text }) => (text.includes(`"${model}"`) ? [seq] : []));
      expect([naming("gpt-5"), naming("o3"), naming("o4")]).toEqual(namedAt[dialect.name] ?? [[2], [4], [10]]);
      for (let cut = 1; cut <= events.length; cut++) {
        const rest = frames.filter(({ seq }) => seq > cut).map(({ text }) => text);
        expect(foldAfter(dialect, events, cut, most).map(({ text }) => text)).toEqual(rest);
      }
    });

    test("has all of the output of two calls that write without end", () => {
      const requested = ["c1", "c2"].map(
        (callId): InRun => ({ type: "tool.requested", callId, tool: "bash", args: {} }),
      );
      const flood = Array.from(
        { length: 6000 },
        (_, at): InRun => ({ type: "tool.output", callId: at % 2 ? "c1" : "c2", text: "x\n" }),
      );
      const events = logOf(marked([...requested, ...flood]), failed);
      expectCalls(dialect, events);
      const longest = Math.max(...foldAll(dialect, events, most).map(({ text }) => text.length));
      expect(longest).toBeLessThan(12_000);
    });
  },
);

test("an agent's run is a document in which all was said, and nothing of the agent's own session", () => {
  fc.assert(
    fc.property(agentLog, (events) => {
      const fold = markdownFold("s");
      const document = events.map((event) => fold.push(event)).join("") + fold.end();
      expect(document.match(SAID) ?? []).toEqual(lettersOf(events, SAID));
      expect(document).not.toContain(AGENT_SESSION);
    }),
  );
});
