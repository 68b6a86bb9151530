import type { Requirement } from "../spec-document.ts";
import { toDo } from "./plain-words.ts";

/** "Be fast", "Make sure that it is secure", "Let the report load fast": how something is to be, not what it is to do. */
const STATE =
  /^(?:be|feel|look|remain|stay)\b|^make sure that \S+(?: \S+){0,2} (?:is|are)\b|^let (?:\S+ ){1,3}(?:load|feel|look|run|work|perform)\b/i;
const QUALITY =
  /\b(?:user-?friendly|intuitive|eas(?:y|ily)(?: to (?:use|learn))?|simple|fast|quick(?:ly)?|performant|responsive|scal(?:able|e)|robust|reliable|resilient|secure(?:ly)?|maintainable|extensible|modern|beautiful|seamless|smooth(?:ly)?|efficient(?:ly)?|high[- ]quality|stable)\b/i;
/** Numbers that only a measurement shows. */
const MEASURED =
  /\b(?:uptime|availability|throughput|latency|p9[059]|concurrent(?:ly)?|simultaneous(?:ly)?|requests? per|req\/s|rps)\b|^(?:respond|load|start|render)\b.{0,80}\b(?:ms|milliseconds?|seconds?)\b/i;

/** Whether a requirement is a property of the whole that nobody writes a service for: it is measured, not built. */
export function isQuality({ text }: Requirement): boolean {
  const asked = toDo(text, 160);
  return (STATE.test(asked) && QUALITY.test(asked) && asked.split(" ").length <= 16) || MEASURED.test(asked);
}
