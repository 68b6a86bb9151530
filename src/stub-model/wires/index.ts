import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { messages } from "./messages.ts";
import { responses } from "./responses.ts";
import type { Wire } from "./wire.ts";

export const wires: Wire[] = [chat, responses, messages, gemini];
