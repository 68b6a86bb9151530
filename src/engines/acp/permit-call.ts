import type { AgentCall, EngineIO, Permission } from "../../core/engine.ts";
import { type AgentAction, judgedAs } from "../agent-policy.ts";
import { pathsIn } from "./call-paths.ts";
import { type CallPlace, readingsOf, type ToldCall } from "./call-readings.ts";

type Asked = Pick<AgentCall, "callId" | "tool" | "args">;
type Judged = Pick<AgentCall, "as" | "intent">;

/** Whether an agent may make a call: each of its readings must be allowed. */
export async function permitCall(
  io: Pick<EngineIO, "permit">,
  asked: Asked,
  call: ToldCall,
  place: CallPlace,
): Promise<Permission> {
  for (const reading of readingsOf(call, place)) {
    const permission = await io.permit({ ...asked, ...(await judged(reading, call, place)) });
    if (!permission.allowed) return permission;
  }
  return { allowed: true };
}

async function judged(action: AgentAction, call: ToldCall, { workspace }: CallPlace): Promise<Judged> {
  const { as, intent } = await judgedAs(goingAway(action, call.kind), workspace, call.title || undefined);
  switch (action.does) {
    case "run":
      return { as, intent: await touching({ does: "read", paths: pathsIn(call, workspace) }, intent, workspace) };
    case "other":
      return {
        // Without a name nobody knows what it reaches, and a rule about it would be one about everything.
        as: call.name === undefined ? { ...as, risk: "publish" } : as,
        intent: await touching({ does: "write", paths: pathsIn(call, workspace) }, intent, workspace),
      };
    default:
      return { as, intent };
  }
}

type OnFiles = Extract<AgentAction, { paths: string[] }>;

/** What it is to do, and besides with which files the agent says that it has to do. */
async function touching(files: OnFiles, intent: AgentCall["intent"], workspace: string): Promise<AgentCall["intent"]> {
  if (files.paths.length === 0) return intent;
  const told = await judgedAs(files, workspace);
  return async (context) => {
    const meant = await intent(context);
    return { ...meant, targets: [...meant.targets, ...(await told.intent(context)).targets] };
  };
}

/** Whoever is asked about a file that goes away is not asked about a change of it. */
function goingAway(action: AgentAction, kind: string): AgentAction {
  return action.does === "write" && (kind === "delete" || kind === "move") ? { ...action, how: kind } : action;
}
