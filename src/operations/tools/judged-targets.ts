import { DragomanError } from "../../core/errors.ts";
import type { Target } from "../../core/tool.ts";

// Where a call was meant to go when its intent was judged: a link that is turned elsewhere after that must not be followed. Kept by
// the arguments, which are the same ones when the call is executed.
const judged = new WeakMap<object, string[]>();

export function rememberTargets(args: object, targets: readonly Target[]): void {
  judged.set(
    args,
    targets.map(({ real }) => real),
  );
}

export function checkTargets(args: object, targets: readonly Target[]): void {
  const before = judged.get(args);
  if (!before || (before.length === targets.length && targets.every(({ real }, at) => real === before[at]))) return;
  throw new DragomanError("conflict", "A document leads elsewhere than when this was asked for. Look at it again.");
}
