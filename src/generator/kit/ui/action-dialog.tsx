import { useState } from "react";
import {
  type FileResult,
  isFileResult,
  type OperationInput,
  type Row,
  type ScopeValues,
} from "../api/backend.ts";
import { keyOf, titleOf } from "../api/record.ts";
import type { Action, Json, Resource } from "../descriptor.ts";
import { ActionResult } from "./action-result.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { OperationForm } from "./inputs/operation-form.tsx";
import { knownScopes } from "./scope.ts";
import { useNotify } from "./toasts.tsx";
import { useWorkspace } from "./workspace.tsx";

/** Asks for what an action needs, runs it, and shows what came back. */
export function ActionDialog({
  action,
  resource,
  scope,
  row,
  answer: known,
  onClose,
  onDone,
  onResult,
}: {
  action: Action;
  resource?: Resource;
  scope: ScopeValues;
  row?: Row;
  /** What came back already: it ran without a question. */
  answer?: Json | FileResult;
  onClose: () => void;
  /** It was run, so what is shown may have changed. */
  onDone: () => void;
  onResult?: (result: Json | FileResult | undefined) => void;
}) {
  const { backend, connection } = useWorkspace();
  const notify = useNotify();
  const [result, setResult] = useState(known);
  const scopes = knownScopes(resource, scope, connection.mode);
  const key = resource && row ? keyOf(resource, row) : undefined;
  const run = async (input: OperationInput) => {
    const answer = await backend.run(action, resource, scope, key, input);
    onResult?.(answer);
    onDone();
    if (isWorthShowing(action, answer)) return setResult(answer);
    notify(`${action.label}: done.`);
    onClose();
  };
  const subject = resource && row ? titleOf(resource, row) : undefined;
  const title = subject ? `${action.label}: ${subject}` : action.label;
  if (result !== undefined) {
    return (
      <Dialog title={title} onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
        <ActionResult action={action} result={result} />
      </Dialog>
    );
  }
  const { description, summary } = action.operation;
  return (
    <Dialog title={title} onClose={onClose}>
      {(description ?? summary) && <p className="dialog-text">{description ?? summary}</p>}
      {action.dangerous && <p className="dialog-warning">This cannot be undone.</p>}
      <OperationForm
        operation={action.operation}
        known={knownParameters(action, resource, scopes, key)}
        submitLabel={action.label}
        tone={action.dangerous ? "danger" : "primary"}
        onSubmit={run}
        onCancel={onClose}
      />
    </Dialog>
  );
}

export function isWorthShowing(
  action: Action,
  answer: Json | FileResult | undefined,
): answer is Json | FileResult {
  if (answer === undefined || answer === null || answer === "") return false;
  return isFileResult(answer) || action.result !== undefined || typeof answer === "object";
}

/** What need not be asked: the scopes, and the parameter that takes the record's key. */
export function knownParameters(
  action: Pick<Action, "operation">,
  resource: Resource | undefined,
  known: string[],
  key: string | undefined,
): string[] {
  if (key === undefined) return known;
  const { params } = action.operation;
  const usual = resource?.key?.param;
  const free = params.filter(({ name, in: place }) => place === "path" && !known.includes(name));
  const takesKey = params.some(({ name }) => name === usual) ? usual : free.at(-1)?.name;
  return takesKey === undefined ? known : [...known, takesKey];
}
