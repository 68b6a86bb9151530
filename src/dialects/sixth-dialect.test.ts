import * as z from "zod";
import { errorCodes } from "../core/errors.ts";
import { eventTypes } from "../core/events.ts";
import { dialectContract } from "./contract.ts";
import { dialect, type Handlers } from "./dialect.ts";

// What a further dialect takes: one definition, and one line for the contract.

const message = z.strictObject({ said: z.enum(eventTypes), count: z.int() });
type Message = z.infer<typeof message>;
type State = { count: number };

const echo = (state: State, event: { type: Message["said"] }): Message[] => [
  { said: event.type, count: state.count++ },
];

const echoing = dialect({
  name: "echo",
  calls: { prompt: { params: z.looseObject({ text: z.string() }), result: z.looseObject({}) } },
  profile: z.object({ loud: z.boolean().default(false) }),
  message,
  start: () => ({ count: 0 }),
  skippable: ({ said }) => said === "thinking.delta",
  lost: ([first]) => first,
  gap: ({ to }) => ({ said: "note" as const, count: to }),
  events: Object.fromEntries(eventTypes.map((type) => [type, echo])) as unknown as Handlers<State, Message>,
  errors: Object.fromEntries(errorCodes.map((code) => [code, code])) as Record<(typeof errorCodes)[number], string>,
});

dialectContract(echoing);
