import type { SessionConfig } from "@github/copilot-sdk";
import type { AskReply, ConfirmAnswer, EngineIO, PickAnswer, PromptAnswer } from "../../core/engine.ts";
import type { Question } from "../../core/events.ts";

type UserInputHandler = NonNullable<SessionConfig["onUserInputRequest"]>;
export type InputRequest = Parameters<UserInputHandler>[0];
export type InputResponse = Awaited<ReturnType<UserInputHandler>>;
type ExitPlanHandler = NonNullable<SessionConfig["onExitPlanModeRequest"]>;
export type PlanRequest = Parameters<ExitPlanHandler>[0];
export type PlanResponse = Awaited<ReturnType<ExitPlanHandler>>;

const NO_ANSWER = "Nobody answered. Go on as you think best, or say what you need to know and stop.";
const TITLE = "Copilot asks";

/** Puts a question of the agent's to the user: as a choice where it names some. */
export async function answerInput(io: EngineIO, request: InputRequest): Promise<InputResponse> {
  const choices = request.choices ?? [];
  const reply = await io.ask(choices.length > 0 ? pickOf(request, choices) : promptOf(request));
  return answered(reply, choices) ?? { answer: NO_ANSWER, wasFreeform: true };
}

const promptOf = ({ question }: InputRequest): Question => ({
  kind: "prompt",
  title: TITLE,
  message: question,
  multiline: true,
});

const pickOf = ({ question, allowFreeform = true }: InputRequest, choices: string[]): Question => ({
  kind: "pick",
  title: TITLE,
  message: question,
  items: choices.map((label, i) => ({ id: String(i), label })),
  allowText: allowFreeform || undefined,
});

function answered(reply: AskReply, choices: string[]): InputResponse | undefined {
  if (reply.outcome !== "answered") return undefined;
  if (choices.length === 0) {
    const { value } = reply.answer as PromptAnswer;
    return value === null ? undefined : { answer: value, wasFreeform: true };
  }
  const { ids, text } = reply.answer as PickAnswer;
  if (text !== undefined) return { answer: text, wasFreeform: true };
  const picked = ids.flatMap((id) => choices[Number(id)] ?? []);
  return picked.length === 0 ? undefined : { answer: picked.join(", "), wasFreeform: false };
}

/** Whether the plan is carried out. It goes on with questions as before: a yes to a plan is no yes to every step of it. */
export async function answerPlan(io: EngineIO, { summary, planContent, actions }: PlanRequest): Promise<PlanResponse> {
  const reply = await io.ask({
    kind: "confirm",
    title: "Carry out this plan?",
    message: planContent || summary,
    confirmLabel: "Yes",
    cancelLabel: "No",
    allowReason: true,
  });
  if (reply.outcome !== "answered") return { approved: false, feedback: NO_ANSWER };
  const { ok, reason } = reply.answer as ConfirmAnswer;
  if (!ok) return { approved: false, feedback: reason };
  return { approved: true, selectedAction: actions.includes("interactive") ? "interactive" : "exit_only" };
}
