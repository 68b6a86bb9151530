import { allowing, copilotWorld } from "../../testing/copilot-world.ts";
import { type Case, engineContract } from "../contract.ts";

const world = copilotWorld();

const contractCase = (text: string, equipment: Pick<Case, "ruleBook"> = {}): Case => ({
  engine: world.engine(),
  input: { text },
  workspace: world.newWorkspace().path,
  ...equipment,
});

engineContract("copilot", {
  answers: () => contractCase("Say hello [[think I could greet them]] [[say Hello!]]"),
  fails: () => contractCase("[[fail 400 This model does not like it.]]"),
  goesOn: () => contractCase("[[run sleep 60]]", { ruleBook: allowing("shell") }),
  asks: () => contractCase("[[write notes.txt hello]]"),
});
