import * as z from "zod";
import { isLoopback } from "../core/loopback.ts";
import { rulesSchema } from "../core/rules.ts";
import { agentsSchema, copilotSchema, modelEndpointSchema } from "./agents-schema.ts";

const REQUEST_TIMEOUT_MS = 30_000;
/** The longest wait that a timer of Node can hold. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

const texts = z.record(z.string().min(1), z.string());

const address = z.url({ protocol: /^https?$/, error: "is not an http or https address" });

const anyServer = {
  enabled: z.boolean().default(true).describe("false turns the server off without forgetting it."),
  request_timeout_ms: z
    .int()
    .positive()
    .max(LONGEST_TIMEOUT_MS)
    .default(REQUEST_TIMEOUT_MS)
    .describe("How long a request to the server may take."),
};

const stdioServer = z.object({
  transport: z.literal("stdio"),
  command: z.string().min(1).describe("The program to start. It is not given to a shell."),
  args: z.array(z.string()).default([]),
  cwd: z.string().min(1).optional().describe("Where it is started; the workspace, if not said."),
  env: texts.default({}).describe("Set in its environment."),
  ...anyServer,
});

const httpServer = z.object({
  transport: z.literal("http"),
  url: address,
  headers: texts.default({}).describe("Sent with every request."),
  ...anyServer,
});

const serverSchema = z.discriminatedUnion("transport", [stdioServer, httpServer], {
  error: (issue) => (issue.code === "invalid_union" ? 'must be "http" or "stdio"' : undefined),
});
export type McpServer = z.infer<typeof serverSchema>;

const serverId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, "an id is up to 64 letters, digits, dots, dashes and underscores");

const hostName = z
  .string()
  .regex(
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/,
    "is not the name of a host, with or without a port",
  );

/** Whether a token may be sent there: nobody on the way can read it. */
export function isSafeForToken(url: string): boolean {
  if (!URL.canParse(url)) return true; // that it is no address was said already
  const { protocol, hostname, username, password } = new URL(url);
  const isHere = hostname === "localhost" || isLoopback(hostname.replace(/^\[|\]$/g, ""));
  return username === "" && password === "" && (protocol === "https:" || isHere);
}

const features = z.object({
  push: z.boolean().optional().describe("What is saved in a feature is pushed, where there is a remote."),
  remote: z
    .string()
    .regex(/^[A-Za-z0-9_][\w./-]{0,99}$/, "is not the name of a remote")
    .optional()
    .describe("The remote that it is pushed to; origin, if not said."),
  github: z
    .object({
      repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/, "is not an owner and a name with a slash between"),
      baseUrl: address
        .refine(isSafeForToken, "must be https; http is for this machine only, and no user may be in it")
        .default("https://api.github.com")
        .describe("Of the API; a GitHub server of one's own has another."),
      tokenVariable: z
        .string()
        .regex(/^[A-Za-z_]\w{0,99}$/, "is not the name of a variable")
        .default("GITHUB_TOKEN")
        .describe("The variable that has the token."),
      base: z
        .string()
        .min(1)
        .optional()
        .describe("The branch that features start from; the default branch, if not said."),
    })
    .optional()
    .describe("Features are read and saved by GitHub's API, not in the repository of the folder."),
});
export type FeaturesConfig = z.infer<typeof features>;

/** What `dragoman.json` may say, in a project and in the data folder alike. */
export const configSchema = z.object({
  $schema: z.string().optional(),
  engine: z
    .string()
    .min(1)
    .optional()
    .describe("The engine that runs what is asked. In a project: once its folder is trusted."),
  model: z
    .string()
    .min(1)
    .optional()
    .describe("The model that the engine uses. In a project: once its folder is trusted."),
  policy: z
    .object({
      allow: rulesSchema.shape.allow.describe("What runs without an ask. In a project: once its folder is trusted."),
      deny: rulesSchema.shape.deny.describe("What never runs, whatever else allows it."),
    })
    .optional(),
  mcp: z
    .object({
      servers: z.record(serverId, serverSchema).default({}).describe("In a project: once its folder is trusted."),
    })
    .optional(),
  serve: z
    .object({
      callback: address.optional().describe("Where the tools of new sessions are executed, by HTTP."),
      callbackHosts: z.array(hostName).default([]).describe("Hosts that callbacks may go to besides this machine."),
    })
    .optional()
    .describe("Of `dragoman serve`. In a project: once its folder is trusted."),
  features: features.optional().describe("Where features are saved. In a project: once its folder is trusted."),
  copilot: copilotSchema.optional().describe("How Copilot works. In a project: once its folder is trusted."),
  modelEndpoint: modelEndpointSchema
    .optional()
    .describe("A model that is asked without an agent, as the engine model. In a project: once its folder is trusted."),
  agents: agentsSchema
    .optional()
    .describe("Agents that speak ACP, as engines of these names. In a project: once its folder is trusted."),
});
export type DragomanConfig = z.infer<typeof configSchema>;

/** For editors, where a mistyped key is best seen; Dragoman itself only warns of one. */
export function configJsonSchema(): unknown {
  const schema = z.toJSONSchema(configSchema, {
    io: "input",
    target: "draft-7",
    override: ({ jsonSchema }) => {
      if (jsonSchema.properties) jsonSchema.additionalProperties = false;
    },
  });
  return { ...schema, title: "Configuration of Dragoman (dragoman.json)" };
}
