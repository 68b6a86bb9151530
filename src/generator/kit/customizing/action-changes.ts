import type { Action, Operation, Resource } from "../descriptor.ts";
import type { SomeChanges } from "./changes.ts";
import type { RecordOperation, Wish } from "./customization.ts";

function withOperation(now: Resource, name: RecordOperation, more: Partial<Operation>): Resource {
  const operation = now[name];
  return operation ? { ...now, [name]: { ...operation, ...more } } : now;
}

function withAction<Subject extends { actions: Action[] }>(
  now: Subject,
  id: string,
  change: (action: Action) => Partial<Action>,
): Subject {
  const changed = (one: Action) => (one.id === id ? { ...one, ...change(one) } : one);
  return { ...now, actions: now.actions.map(changed) };
}

export const operationChanges = {
  operationLabel: (now, { operation, label }) => withOperation(now, operation, { label }),
  operationConfirmed: (now, { operation, ask }) => withOperation(now, operation, { asks: ask }),
} satisfies SomeChanges<Resource>;

/** Of a resource, or of the API. */
export function actionChanges<Subject extends { actions: Action[] }>() {
  return {
    actionLabel: (now, { action, label }) => withAction(now, action, () => ({ label })),
    actionConfirmed: (now, { action, ask }) =>
      withAction(now, action, ({ operation }) => ({ operation: { ...operation, asks: ask } })),
  } satisfies SomeChanges<Subject>;
}

/** Without those that are not to be offered. They go last, so that a wish can bring them back. */
export function offeredActions(actions: Action[], wishes: Wish[]): Action[] {
  const isAbout = (id: string) => (wish: Wish) =>
    wish.change === "actionOffered" && wish.action === id;
  return actions.filter(({ id }) => !isWithdrawn(wishes, isAbout(id)));
}

export function withOfferedOperations(resource: Resource, wishes: Wish[]): Resource {
  const operations: RecordOperation[] = ["create", "update", "remove"];
  const gone = operations.filter((name) =>
    isWithdrawn(wishes, (one) => one.change === "operationOffered" && one.operation === name),
  );
  return { ...resource, ...Object.fromEntries(gone.map((name) => [name, undefined])) };
}

/** Whether the last wish about something is that it is not to be seen. */
export function isWithdrawn(wishes: Wish[], isAbout: (wish: Wish) => boolean): boolean {
  const last = wishes.findLast(isAbout);
  if (!last) return false;
  return "offered" in last ? !last.offered : "shown" in last && !last.shown;
}
