/** What a script in a user's message tells the model to do, one step after the other. */
export type Step =
  | { kind: "say"; text: string }
  | { kind: "think"; text: string }
  | { kind: "run"; text: string }
  | { kind: "write"; path: string; content: string }
  | { kind: "ask"; question: string; choices: string[] }
  /** What comes behind the name is JSON, or plain text where the tool takes that: only the tool can tell. */
  | { kind: "call"; name: string; input: string }
  | { kind: "wait"; ms: number }
  | { kind: "fail"; status: number; message: string; times?: number }
  | { kind: "cut" }
  | { kind: "recall" }
  | { kind: "wrong"; problem: string };

export type ToolStep = Extract<Step, { kind: "run" | "write" | "ask" | "call" }>;

export const isToolStep = (step: Step): step is ToolStep => ["run", "write", "ask", "call"].includes(step.kind);

/** More steps than that are not followed. */
export const MAX_STEPS = 1000;
export const LONGEST_WAIT_MS = 600_000;

const readers: Record<string, (rest: string) => Step> = {
  say: textStep("say"),
  think: textStep("think"),
  run: textStep("run"),
  write: writeStep,
  ask: askStep,
  call: callStep,
  wait: waitStep,
  fail: failStep,
  cut: bareStep("cut"),
  recall: bareStep("recall"),
};

/** The steps of a text, in order. What is in double brackets and begins with no known word is no step: texts have links and tests of a shell. */
export function stepsOf(text: string): Step[] {
  const steps: Step[] = [];
  if (!text.includes("[[")) return steps;
  const partners = bracketPartners(text);
  const start = new RegExp(`\\[\\[(${Object.keys(readers).join("|")})(?=\\s|\\]\\])`, "g");
  for (let match = start.exec(text); match && steps.length < MAX_STEPS; match = start.exec(text)) {
    const end = endOf(text, match.index, start.lastIndex, partners);
    if (end === undefined) break; // neither this one nor any behind it is ever closed
    const read = readers[match[1] ?? ""];
    if (read) steps.push(read(text.slice(start.lastIndex, end)));
    start.lastIndex = end + 2;
  }
  return steps;
}

/** The brackets that belong together, so that `[[run [[ -f a ]] && ls]]` and `{"a":[[1]]}` end where their author meant. */
function bracketPartners(text: string): Map<number, number> {
  const partners = new Map<number, number>();
  const open: number[] = [];
  const bracket = /[[\]]/g;
  for (let match = bracket.exec(text); match; match = bracket.exec(text)) {
    if (match[0] === "[") open.push(match.index);
    else {
      const partner = open.pop();
      if (partner !== undefined) partners.set(partner, match.index);
    }
  }
  return partners;
}

/** Where the closing brackets stand; the next ones at all where a lone bracket inside leaves them without a partner. */
function endOf(text: string, at: number, from: number, partners: Map<number, number>): number | undefined {
  const outer = partners.get(at);
  if (outer !== undefined && partners.get(at + 1) === outer - 1) return outer - 1;
  const next = text.indexOf("]]", from);
  return next < 0 ? undefined : next;
}

function textStep(kind: "say" | "think" | "run"): (rest: string) => Step {
  return (rest) => {
    const text = rest.trim();
    return text === "" ? wrong(`[[${kind}]] takes a text: [[${kind} TEXT]]`) : { kind, text };
  };
}

function bareStep(kind: "cut" | "recall"): (rest: string) => Step {
  return (rest) => (rest.trim() === "" ? { kind } : wrong(`[[${kind}]] takes nothing behind it`));
}

/** The content is taken as it stands, from behind the one space or line end that follows the path. */
function writeStep(rest: string): Step {
  const match = /^\s+(?:"([^"\n]+)"|([^\s"]\S*))(?:\r?\n|\s|$)(.*)$/s.exec(rest);
  if (!match) return wrong("[[write]] takes a path and what to write: [[write PATH CONTENT]]");
  const [, quoted, plain, content = ""] = match;
  return { kind: "write", path: quoted ?? plain ?? "", content };
}

function askStep(rest: string): Step {
  const [question = "", ...choices] = rest.split("|").map((part) => part.trim());
  if (question === "") return wrong("[[ask]] takes a question: [[ask QUESTION | choice | choice]]");
  return { kind: "ask", question, choices: choices.filter((choice) => choice !== "") };
}

function callStep(rest: string): Step {
  const match = /^\s+(\S+)(?:\s(.*))?$/s.exec(rest);
  if (!match) return wrong('[[call]] takes the name of a tool: [[call NAME {"json":"args"}]]');
  return { kind: "call", name: match[1] ?? "", input: match[2] ?? "" };
}

function waitStep(rest: string): Step {
  const ms = /^\d{1,9}$/.test(rest.trim()) ? Number(rest) : Number.NaN;
  if (ms <= LONGEST_WAIT_MS) return { kind: "wait", ms };
  return wrong(`[[wait]] takes milliseconds, ${LONGEST_WAIT_MS} at most: [[wait 500]]`);
}

function failStep(rest: string): Step {
  const match = /^\s+([45]\d\d)(?:\s+(.*?))??(?:\s+x([1-9]\d{0,3}))?\s*$/s.exec(rest);
  if (!match) return wrong("[[fail]] takes a status from 400 to 599: [[fail 503 Too busy x2]]");
  const [, status, message, times] = match;
  return {
    kind: "fail",
    status: Number(status),
    message: message || "The script says to fail.",
    ...(times === undefined ? {} : { times: Number(times) }),
  };
}

const wrong = (problem: string): Step => ({ kind: "wrong", problem });
