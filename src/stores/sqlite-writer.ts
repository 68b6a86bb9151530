import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { isKeptOnDisk } from "./sqlite-calls.ts";
import { sqliteError } from "./sqlite-error.ts";
import type { Reply, Request, WriteRequest, WriterData } from "./sqlite-requests.ts";
import { Transactions } from "./sqlite-transactions.ts";

// The worker thread that alone writes to the file, for this process. Requests are answered in their order, a batch of them in one
// message. A batch is what came in while the one before it was committed: no request waits for others to come.

const BATCH_EVENTS = 1000;
const BATCH_BYTES = 1024 * 1024;

const needsDisk = (request: WriteRequest) => !("call" in request) || isKeptOnDisk[request.call];
const isAlone = (request: Request): request is "compact" | "close" => request === "compact" || request === "close";

/** Takes from the front of the queue what fits into one transaction, and at least one request. */
function nextBatch(queue: Request[], onDisk: boolean): WriteRequest[] {
  let [events, bytes, count] = [0, 0, 0];
  for (const request of queue) {
    if (isAlone(request) || (!onDisk && needsDisk(request))) break;
    if (!("call" in request)) {
      events += request.ats.length;
      bytes += request.bytes;
    }
    if (count > 0 && (events > BATCH_EVENTS || bytes > BATCH_BYTES)) break;
    count++;
  }
  return queue.splice(0, count) as WriteRequest[];
}

function serve(port: MessagePort, writer: Transactions): void {
  const queue: Request[] = [];
  let renewal: NodeJS.Timeout | undefined;

  /** A commit blocks this thread; what arrived meanwhile lies in the port. */
  function receive(): void {
    for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port)) {
      for (const request of more.message) queue.push(request);
    }
  }

  function commit(): Reply[] {
    const onDisk = queue.some((request) => !isAlone(request) && needsDisk(request));
    return writer.commit(onDisk, () => {
      receive();
      return nextBatch(queue, onDisk);
    });
  }

  function compact(): Reply[] {
    queue.shift();
    return [writer.compact()];
  }

  function close(): void {
    clearTimeout(renewal);
    port.close();
    writer.close();
  }

  port.on("message", (requests: Request[]) => {
    for (const request of requests) queue.push(request);
    while (queue.length > 0) {
      receive();
      if (queue[0] === "close") return close();
      port.postMessage(queue[0] === "compact" ? compact() : commit());
    }
    renewInTime();
  });

  /** While requests stream in, a commit renews by itself when it is time to. */
  function renewInTime(): void {
    if (renewal || writer.renewAt === Number.POSITIVE_INFINITY) return;
    renewal = setTimeout(() => {
      renewal = undefined;
      if (performance.now() >= writer.renewAt) writer.commit(false, () => []);
      renewInTime();
    }, writer.renewAt - performance.now()).unref();
  }
}

function start(port: MessagePort, data: WriterData): void {
  try {
    const writer = new Transactions(data);
    port.postMessage("ready");
    serve(port, writer);
  } catch (error) {
    const { code, message } = sqliteError(error, data.path);
    port.postMessage({ code, message });
  }
}

if (parentPort) start(parentPort, workerData);
