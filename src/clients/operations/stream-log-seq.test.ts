import { describe, expect, test } from "vitest";
import { complete, connected, leftOut, message, operation, watchedOperation } from "../../testing/watched-operation.ts";

// Whoever comes from another protocol knows how far it got in the session's log, and no number of a message.

const page = (...sequences: number[]) => ({
  body: { operation_id: operation, messages: sequences.map((sequence) => message(sequence)), more: false },
});

describe("a stream that goes on after an event", () => {
  test("says so until something came, and from then on after which message", async () => {
    const { made, socket, pass, listen, sequences, stream } = await watchedOperation({ afterLogSeq: 12 });
    listen();
    socket().open().say(connected).end();
    await pass(1000);
    socket().open().say(message(4), message(5)).end();
    await pass(1000);
    socket().open().say(message(6), complete(7));
    await stream.ended;
    expect(made.map(({ query: { operation_id, session_id, ...place } }) => place)).toEqual([
      { after_log_seq: "12" },
      { after_log_seq: "12" },
      { last_received_sequence: "5" },
    ]);
    expect(sequences()).toEqual([4, 5, 6, 7]);
  });

  test("counts as lost what was left out before the first that came, and nothing before that", async () => {
    const { socket, listen, sequences, stream } = await watchedOperation({ afterLogSeq: 12 });
    listen();
    socket()
      .open()
      .say(leftOut(4, 5, 7), message(6), complete(8));
    await stream.ended;
    expect([sequences(), stream.lost]).toEqual([
      [6, 8],
      [4, 5, 7],
    ]);
  });

  test("asks the history in the same way for what was left out", async () => {
    const answers = () => page(4, 5);
    const { socket, listen, sequences, stream, called, pass } = await watchedOperation({
      ...{ afterLogSeq: 12, recover: true, answers },
    });
    listen();
    socket().open().say(leftOut(4, 5), message(6));
    await pass(0);
    socket().say(complete(7));
    await stream.ended;
    expect(called.map(({ call }) => call)).toEqual([
      `GET operations/${operation}/messages?after_log_seq=12&limit=1000`,
    ]);
    expect([sequences(), stream.lost]).toEqual([[4, 5, 6, 7], []]);
  });

  test("asks the history in the same way whether it is behind, and comes back if it is", async () => {
    const answers = () => page(4);
    const { socket, called, pass, made } = await watchedOperation({ afterLogSeq: 12, answers });
    socket().open();
    await pass(30_000);
    await pass(1000);
    expect(called.map(({ call }) => call)).toEqual([`GET operations/${operation}/messages?after_log_seq=12&limit=1`]);
    expect(made.map(({ query }) => query.after_log_seq)).toEqual(["12", "12"]);
  });

  test("is refused where it is no event, or where a message is named, too", async () => {
    const { client } = await watchedOperation();
    expect(() => client.watch(operation, { afterLogSeq: -1 })).toThrow("-1 is no log_seq");
    expect(() => client.watch(operation, { afterLogSeq: 1.5 })).toThrow("1.5 is no log_seq");
    expect(() => client.watch(operation, { afterLogSeq: 3, after: 1 })).toThrow("give `after` or `afterLogSeq`");
  });
});

test("where to go on elsewhere is before the event of the last message, of which more may come, until all is over", async () => {
  const { socket, listen, stream } = await watchedOperation();
  listen();
  const places = [stream.lastLogSeq];
  socket().open();
  const last = message(3, "complete", { log_seq: 14 });
  for (const one of [message(0, "thinking", { log_seq: 9 }), message(1), message(2, "error", { log_seq: 14 }), last]) {
    socket().say(connected, one);
    places.push(stream.lastLogSeq);
  }
  expect(places).toEqual([0, 8, 8, 13, 14]);
});
