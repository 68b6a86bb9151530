import { realpathSync } from "node:fs";
import { afterEach, describe, expect, onTestFailed, onTestFinished, test } from "vitest";
import { OperationsClient } from "../clients/operations/client.ts";
import type { OperationStream } from "../clients/operations/operation-stream.ts";
import type { OperationMessage } from "../clients/operations/protocol.ts";
import { foldAll } from "../dialects/contract.ts";
import { operations } from "../dialects/operations/index.ts";
import { featureSessionId } from "../operations/feature-session.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import { bundledChild } from "../testing/bundled-child.ts";
import { ChaosProxy, type Mishap } from "../testing/chaos-proxy.ts";
import { faultsOfRecord, type OperationRecord, type SeenMessage } from "../testing/check-operation-record.ts";
import { eventDigest } from "../testing/event-digest.ts";
import { ChaosServer } from "../testing/operations-chaos-server.ts";
import { readAll } from "../testing/read-all.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const CLIENTS = 20;
/** So many sit behind a network that stalls, the others behind one that cuts. */
const SLUGGISH = 5;
const LONGEST_MS = 60_000;
/**
 * Some find out by themselves that they were stalled; the others wait to be let go. On a busy machine whoever is impatient gives up what
 * is about to come and begins anew, which is what makes it busier.
 */
const silenceOf = (client: number) => (client >= SLUGGISH && client % 3 === 2 ? 4000 : LONGEST_MS);
/** When it is over, whoever is still cut off may come back. */
const CHAOS_MS = 15_000;
const MOST_MEGABYTES = 700;
/** One more would be more than an operation may have, as core counts them. */
const heavy = "heavy-460-40-0";
const light = Array.from({ length: 14 }, (_, at) => `light-${680 + at * 9}-100-${at}${at === 5 ? "-fails" : ""}`);
const features = [...light, heavy];

/** What a seed did is done again with DRAGOMAN_CHAOS_SEED, as far as two processes and a network allow. */
const seed = Number(process.env.DRAGOMAN_CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31));

const between = (random: () => number, least: number, most: number) => least + random() * (most - least);
/** As likely to be of any order of magnitude. */
const anySize = (random: () => number, least: number, most: number) => Math.ceil(least * (most / least) ** random());

/** Cut anywhere, in a handshake or in the middle of a message, and held up on the way there. */
function* rough(random: () => number): Iterable<Mishap> {
  for (;;) {
    const afterBytes = anySize(random, 1, 20_000_000);
    const kind = random();
    if (kind < 0.65) yield { afterBytes, do: "cut" };
    else if (kind < 0.95) yield { afterBytes, do: "delay", ms: between(random, 5, 500) };
    else yield { afterBytes: afterBytes + 3000, do: "stall" };
  }
}

/** Stalled early, and for so long that the server has to leave something out; then it is merely slow. */
function* sluggish(random: () => number): Iterable<Mishap> {
  yield { afterBytes: anySize(random, 2000, 100_000), do: "stall" };
  for (;;) yield { afterBytes: anySize(random, 20_000, 3_000_000), do: "delay", ms: between(random, 50, 500) };
}

const seenOf = (message: OperationMessage): SeenMessage => ({
  sequence: message.sequence,
  type: message.type,
  digest: eventDigest(message),
});

/** What one client has of one operation, until its end. */
class Watching {
  readonly record: OperationRecord = { seen: [], lost: [] };
  readonly stream: OperationStream;
  readonly begun: Promise<void>;
  readonly done: Promise<void>;

  /** One who iterates takes what waits for him; one who listens is told at once. */
  constructor(
    client: OperationsClient,
    readonly operationId: string,
    iterates: boolean,
    silenceMs: number,
  ) {
    this.stream = client.watch(operationId, { reconnect: { baseMs: 50, maxMs: 2000 }, silenceMs, openMs: LONGEST_MS });
    this.begun = new Promise((resolve) => {
      this.stream.on("state", ({ state }) => state === "open" && resolve());
    });
    if (!iterates) this.stream.on("message", (message) => this.record.seen.push(seenOf(message)));
    this.done = this.#follow(iterates);
  }

  async #follow(iterates: boolean): Promise<void> {
    if (iterates) {
      for await (const message of this.stream) if (message.sequence >= 0) this.record.seen.push(seenOf(message));
    }
    const error = await this.stream.ended;
    if (error) throw error;
    this.record.lost = this.stream.lost;
  }
}

const folder = temporaryFolder();
const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

function kept<T extends { close(): void }>(one: T): T {
  open.push(one);
  return one;
}

/** Said of a test that fails, however it does, and of one whose seed was given. */
function tellFacts(facts: () => object): void {
  const when = process.env.DRAGOMAN_CHAOS_SEED === undefined ? onTestFailed : onTestFinished;
  when(() => void process.stderr.write(`${JSON.stringify(facts())}\n`));
}

async function world() {
  const begun = performance.now();
  const proxies = {
    rough: kept(await ChaosProxy.listen({ seed, mishaps: rough })),
    sluggish: kept(await ChaosProxy.listen({ seed, mishaps: sluggish })),
  };
  const hosts = Object.values(proxies).map(({ host }) => host);
  const script = await bundledChild("operations-chaos-child", folder.path);
  const server = kept(new ChaosServer(script, folder.path, features, hosts));
  tellFacts(() => {
    const done = { rough: proxies.rough.done, sluggish: proxies.sluggish.done };
    return { seed, ms: performance.now() - begun, ...done, stderr: server.stderr };
  });
  await server.ready();
  for (const proxy of Object.values(proxies)) proxy.leadTo(server.port);
  const { token } = server;
  const clients = Array.from({ length: CLIENTS }, (_, at) => {
    const { url: behind } = at < SLUGGISH ? proxies.sluggish : proxies.rough;
    return kept(new OperationsClient({ url: behind, token, timeoutMs: 10_000 })); // each signs in by itself
  });
  return { server, proxies, clients, starter: kept(new OperationsClient({ url: server.url, token })) };
}

/** Every client watches every operation, all at once, until all of them have ended for all. */
async function runAll({ proxies, clients, starter }: Awaited<ReturnType<typeof world>>): Promise<Watching[]> {
  const started = await Promise.all(features.map((feature) => starter.start(feature, "clarify")));
  const ids = started.map(({ operation_id }) => operation_id);
  const watching = clients.flatMap((client, at) =>
    ids.map((id) => new Watching(client, id, at % 3 === 0, silenceOf(at))),
  );
  await Promise.all(watching.map(({ begun }) => begun));
  const calm = () => {
    for (const proxy of Object.values(proxies)) proxy.calm();
  };
  const calming = setTimeout(calm, CHAOS_MS);
  await Promise.all(ids.map((id) => letBegin(starter, id)));
  starter.watch(ids.at(-1) ?? "").on("message", ({ type }) => {
    if (type === "complete") for (const proxy of Object.values(proxies)) proxy.letGo();
  });
  await Promise.all(watching.map(({ done }) => done)).finally(() => clearTimeout(calming));
  calm(); // what was lost is read back in peace, also where all were done before the time
  return watching;
}

/** Each operation asks first whether everybody is there. */
async function letBegin(client: OperationsClient, id: string): Promise<void> {
  const stream = client.watch(id);
  for await (const { metadata } of stream) {
    if (metadata?.ask_id === undefined) continue;
    await stream.answer(metadata.ask_id, "yes");
    return;
  }
}

/** What each of them lost, read back one after the other: the server folds a whole operation for each page. */
async function recoverAll(losers: Watching[]): Promise<SeenMessage[][]> {
  const recovered: SeenMessage[][] = [];
  for (const { stream } of losers) recovered.push((await stream.recover({ timeoutMs: 30_000 })).map(seenOf));
  return recovered;
}

/** What the log makes of each operation, by its id. */
async function logged({ store: path, workspace }: ChaosServer): Promise<Map<string, SeenMessage[]>> {
  const store = await openSqliteStore(path);
  const found = new Map<string, SeenMessage[]>();
  for (const feature of features) {
    const sessionId = featureSessionId(realpathSync(workspace), feature);
    const frames = foldAll(operations, await readAll(store, sessionId), {}, sessionId);
    const messages = frames.map(({ text }) => JSON.parse(text) as OperationMessage);
    found.set(messages[0]?.operation_id ?? feature, messages.map(seenOf));
  }
  await store.close();
  return found;
}

test("through cuts, delays and stalls every client has every execution, error and complete once, in order, and knows what it lost", {
  timeout: LONGEST_MS + 30_000,
}, async () => {
  const around = await world();
  const { server, proxies } = around;
  const begun = performance.now();
  const watching = await runAll(around);
  const tookMs = performance.now() - begun;
  const losers = watching.filter(({ record }) => record.lost.length > 0);
  const recovered = await recoverAll(losers);
  const megabytes = server.peakMegabytes ?? 0;
  await server.stop();
  const log = await logged(server);
  const of = ({ operationId }: Watching) => log.get(operationId) ?? [];

  const faults = watching.flatMap((one) => faultsOfRecord(one.record, of(one)));
  expect(faults.slice(0, 20)).toEqual([]);
  expect(recovered).toEqual(losers.map((one) => of(one).filter(({ sequence }) => one.record.lost.includes(sequence))));
  const sizes = [...log.values()].map(({ length }) => length);
  expect([watching.length, log.size, sizes.filter((size) => size < 400 || size > 810)]).toEqual([300, 15, []]);
  const { rough: cutting, sluggish: stalling } = proxies; // it was as bad as it should be
  const bad = [cutting.done.cut > 100, cutting.done.delay > 50, stalling.done.stall >= 50, losers.length > 0];
  expect(bad).toEqual([true, true, true, true]);
  expect({ tookMs, megabytes }).toSatisfy(() => tookMs < LONGEST_MS && megabytes < MOST_MEGABYTES);
});

describe("the check itself", () => {
  const types = ["thinking", "execution", "thinking", "error", "complete"];
  const log = types.map((type, sequence): SeenMessage => ({ sequence, type, digest: `${type} ${sequence}` }));
  const without = (...sequences: number[]) => log.filter(({ sequence }) => !sequences.includes(sequence));

  test("finds nothing in a record that has everything, or knows which thinking it has not", () => {
    expect(faultsOfRecord({ seen: log, lost: [] }, log)).toEqual([]);
    expect(faultsOfRecord({ seen: without(0, 2), lost: [0, 2] }, log)).toEqual([]);
  });

  const [first, second, third, ...rest] = log as [SeenMessage, SeenMessage, SeenMessage, ...SeenMessage[]];
  test.each<[string, OperationRecord, string[]]>([
    ["is lost", { seen: without(3), lost: [] }, ["error 3 never came, and nobody said so"]],
    ["is dropped without a word", { seen: without(2), lost: [] }, ["thinking 2 never came, and nobody said so"]],
    ["is left out though it is no thinking", { seen: without(1), lost: [1] }, ["execution 1 was left out"]],
    ["is the last, and lost", { seen: without(4), lost: [] }, ["complete 4 never came, and nobody said so"]],
    ["comes twice", { seen: [first, second, second, third, ...rest], lost: [] }, ["1 came twice"]],
    ["comes late", { seen: [second, first, third, ...rest], lost: [] }, ["0 came after 1"]],
    ["is said to be lost and comes", { seen: log, lost: [2] }, ["2 is said to be lost, and came"]],
    [
      "is another one",
      { seen: [{ ...first, digest: "x" }, ...log.slice(1)], lost: [] },
      ["thinking 0 is another one than the thinking in the log"],
    ],
    [
      "is nobody's",
      { seen: [...log, { ...first, sequence: 9 }], lost: [] },
      ["thinking 9 came, and is not in the log"],
    ],
  ])("finds a message that %s", (_, record, faults) => {
    expect(faultsOfRecord(record, log)).toEqual(faults);
  });

  test("finds that the log has no end", () => {
    expect(faultsOfRecord({ seen: log.slice(0, 4), lost: [] }, log.slice(0, 4))).toEqual(["the log itself has no end"]);
  });
});
