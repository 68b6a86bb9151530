import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Event } from "../core/events.ts";
import { nodeFixture } from "../testing/node-fixture.ts";
import type { Program } from "../testing/node-program.ts";
import { endsOf, NodeSession } from "../testing/node-session.ts";

// As many on one file as a developer could ever have, each of them writing all the time.

const PROCESSES = Number(process.env.DRAGOMAN_LOAD_PROCESSES ?? 8);
const SECONDS = Number(process.env.DRAGOMAN_LOAD_SECONDS ?? 3);
/** How often each says something: no model is faster. */
const EVERY_MS = 20;
const AT_ONCE = 4;

const nodes = nodeFixture();

type LogOf = (sessionId: string) => Promise<Event[]>;

async function newWriter(path: string, logOf: LogOf) {
  const process = await nodes.launch(path);
  return { process, session: await NodeSession.begin([process], logOf) };
}

async function inTurns<T>(count: number, atOnce: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let at = 0; at < count; at += atOnce) {
    made.push(...(await Promise.all(Array.from({ length: Math.min(atOnce, count - at) }, make))));
  }
  return made;
}

test(
  `${PROCESSES} processes write to one file for ${SECONDS} s, and nothing is lost or refused`,
  async () => {
    const path = nodes.folder.newPath();
    const logOf = await nodes.reader(path);
    const ready = await inTurns(PROCESSES, AT_ONCE, () => newWriter(path, logOf));
    const program: Program = [{ act: "say", count: 1_000_000, everyMs: EVERY_MS }];
    const writers = await Promise.all(
      ready.map(async (each) => ({ ...each, runId: await each.session.prompt(each.process, program) })),
    );
    await pause(SECONDS * 1000);
    const owners = await Promise.all(writers.map(({ process, session }) => session.owner(process)));
    expect(owners).toEqual(writers.map(({ process }) => process.node));
    await Promise.all(writers.map(({ process, session, runId }) => session.cancel(process, runId)));
    let events = 0;
    for (const { process, session, runId } of writers) {
      await session.answerUntilEnded(process, 1);
      const log = await session.log();
      events += log.length;
      const { broken, stderr } = process;
      const told = { faults: await session.faults([process]), ends: endsOf(log, runId), broken, stderr };
      expect(told).toEqual({ faults: [], ends: ["cancelled"], broken: [], stderr: "" });
    }
    // A share of what they would have said alone: if all waited for one another for long, it would show here.
    expect(events).toBeGreaterThan((PROCESSES * SECONDS * 1000) / EVERY_MS / 20);
    expect(await Promise.all(writers.map(({ process }) => process.end()))).toEqual(writers.map(() => 0));
  },
  60_000 + SECONDS * 2000 + PROCESSES * 2000,
);
