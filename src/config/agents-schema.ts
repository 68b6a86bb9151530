import * as z from "zod";

const texts = z.record(z.string().min(1), z.string());

/** Engines of Dragoman itself: no agent takes their names. */
const taken = ["builtin", "copilot", "model", "replay"];

/** Agents that Dragoman knows how to start; `src/engines/agents/presets.ts` says how. */
export const presetNames = ["copilot-cli", "codex", "claude", "gemini", "opencode"] as const;

const isPreset = (name: string) => presetNames.some((one) => one === name);

const variable = z.string().regex(/^[A-Za-z_]\w{0,99}$/, "is not the name of a variable");

/** The variable with Copilot's key, where nothing else is said. */
export const COPILOT_KEY = "DRAGOMAN_COPILOT_API_KEY";

const modelAddress = z
  .url({ protocol: /^https?$/, error: "is not an http or https address" })
  .refine((url) => !URL.canParse(url) || new URL(url).username === "", "must have no user in it");

/** The variable with the key of the engine `model`, where nothing else is said. */
export const MODEL_KEY = "DRAGOMAN_MODEL_API_KEY";

const hasNoQuery = (url: string) => !/[?#]/.test(url);

/** Of the engine `model`. What `model` says stands beside it: that is the model of whichever engine is chosen. */
export const modelEndpointSchema = z.object({
  baseUrl: modelAddress
    .refine(hasNoQuery, "must have nothing behind its path")
    .describe("Where chat completions are asked for, up to what stands before /chat/completions."),
  apiKeyVariable: variable.default(MODEL_KEY).describe("The variable that has the key. A key is in no file."),
  model: z.string().min(1).optional().describe("The model of sessions that name none."),
  models: z.array(z.string().min(1)).optional().describe("All that can be chosen; if not said, the endpoint is asked."),
  contextWindow: z.int().min(1000).optional().describe("How many tokens the model takes, its answer included."),
});
export type ModelEndpointConfig = z.infer<typeof modelEndpointSchema>;

/** No shell reads it. */
const path = z
  .string()
  .min(1)
  .refine((text) => !text.startsWith("~"), "is taken as it stands, so write the whole path");

/** Without `baseUrl` Copilot works with the user's own login. */
export const copilotSchema = z.object({
  baseUrl: modelAddress.optional().describe("Of a model of one's own, in place of Copilot's."),
  type: z.enum(["openai", "azure", "anthropic"]).optional().describe("What is spoken there; openai, if not said."),
  wireApi: z.enum(["completions", "responses"]).optional().describe("Which of OpenAI's two; completions, if not said."),
  apiKeyVariable: variable.default(COPILOT_KEY).describe("The variable that has the key. A key is in no file."),
  model: z.string().min(1).optional().describe("The model of sessions that name none."),
  models: z.array(z.string().min(1)).optional().describe("All that can be chosen."),
  home: path.optional().describe("Copilot's own folder; ~/.copilot, if not said."),
});
export type CopilotConfig = z.infer<typeof copilotSchema>;

const agentName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, "a name is up to 64 letters, digits, dots, dashes and underscores")
  .refine((name) => !taken.includes(name), "is the name of an engine of Dragoman itself; choose another one");

const agentSchema = z.object({
  preset: z.enum(presetNames).optional().describe("What holds for this agent where nothing else is said here."),
  command: path
    .optional()
    .describe("The program that speaks ACP. It is not given to a shell; a path starts from the folder of this file."),
  args: z.array(z.string()).optional(),
  env: texts.default({}).describe("Set in its environment."),
  passEnv: z
    .array(z.string().regex(/^[A-Za-z_]\w{0,99}\*?$/, "is not the name of a variable, with or without a * at its end"))
    .default([])
    .describe("Variables that it gets although their names say that they are secrets, such as its own key."),
  mode: z.string().min(1).optional().describe("The mode of its own that it is put into, by its id."),
  model: z.string().min(1).optional().describe("The model of sessions that name none."),
});
export type AgentConfig = z.infer<typeof agentSchema>;

export const agentsSchema = z.record(agentName, agentSchema).superRefine((agents, context) => {
  for (const [name, { command, preset }] of Object.entries(agents)) {
    if (command !== undefined || preset !== undefined || isPreset(name)) continue;
    const message = `needs a command, or a preset (${presetNames.join(", ")})`;
    context.addIssue({ code: "custom", path: [name], message });
  }
});
