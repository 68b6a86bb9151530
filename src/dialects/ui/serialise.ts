import type { AgentEvent, Message } from "./messages.ts";

/** What is more than printable ASCII, or has to be escaped. Most texts have little of it, and to see that is cheap. */
const special = /[^ !#-[\]-~]/;

let lastRun = "";
let lastSession = "";
let head = "";

/** As `JSON.stringify` would, but that the fields whose form is known are not looked at again. */
export function serialise(message: Message): string {
  if (message.method !== "agent.event") return JSON.stringify(message);
  const { run_id, session_id, log_seq, seq, event, meta } = message.params;
  if (session_id === undefined || log_seq === undefined || meta !== undefined) return JSON.stringify(message);
  if (run_id !== lastRun || session_id !== lastSession) {
    [lastRun, lastSession] = [run_id, session_id];
    const place = `"run_id":${JSON.stringify(run_id)},"session_id":${JSON.stringify(session_id)}`;
    head = `{"jsonrpc":"2.0","method":"agent.event","params":{${place},"log_seq":`;
  }
  return `${head}${log_seq},"seq":${seq},"event":${eventText(event)}}}`;
}

function eventText(event: AgentEvent): string {
  if (event.type !== "text" && event.type !== "reasoning") return JSON.stringify(event);
  const { type, content, timestamp } = event;
  const quoted = special.test(content) ? JSON.stringify(content) : `"${content}"`;
  return `{"type":"${type}","content":${quoted},"timestamp":${timestamp}}`;
}
