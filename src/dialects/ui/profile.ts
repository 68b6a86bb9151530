import * as z from "zod";

/** `ui_capabilities` as the UI names them, so that the handshake's object is the profile. */
export const profile = z.object({
  supports_confirm: z.boolean().default(false),
  supports_prompt: z.boolean().default(false),
  supports_pick: z.boolean().default(false),
  supports_permission_preflight_events: z.boolean().default(false),
  supports_tool_output: z.boolean().default(false),
});
export type Profile = z.infer<typeof profile>;
