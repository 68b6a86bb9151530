import { type ReactNode, useState } from "react";
import type { FileResult, Row, ScopeValues } from "../api/backend.ts";
import { bodyFields, parameterFields } from "../api/form-reading.ts";
import { keyOf } from "../api/record.ts";
import type { Action, Json, Resource } from "../descriptor.ts";
import { ActionDialog, isWorthShowing, knownParameters } from "./action-dialog.tsx";
import { knownScopes } from "./scope.ts";
import { useNotify } from "./toasts.tsx";
import { apiErrorOf } from "./use-load.ts";
import { useWorkspace } from "./workspace.tsx";

interface RunningAction {
  action: Action;
  row?: Row;
  answer?: Json | FileResult;
}

/** Runs actions: by a dialog, or at once if nothing has to be said and nobody wants to be asked. */
export function useActions(on: { resource?: Resource; scope: ScopeValues; onDone: () => void }): {
  run: (action: Action, row?: Row) => void;
  /** To be rendered somewhere. */
  dialog: ReactNode;
} {
  const { resource, scope, onDone } = on;
  const { backend, connection } = useWorkspace();
  const notify = useNotify();
  const [running, setRunning] = useState<RunningAction>();
  const runAtOnce = async (action: Action, row?: Row) => {
    try {
      const key = resource && row && keyOf(resource, row);
      const answer = await backend.run(action, resource, scope, key, {});
      if (isWorthShowing(action, answer)) setRunning({ action, row, answer });
      else notify(`${action.label}: done.`);
      onDone();
    } catch (error) {
      notify(`${action.label}: ${apiErrorOf(error).message}`, "bad");
    }
  };
  const needsNothing = (action: Action, row?: Row) => {
    const { operation } = action;
    const key = resource && row && keyOf(resource, row);
    const scopes = knownScopes(resource, scope, connection.mode);
    const known = knownParameters(action, resource, scopes, key);
    return parameterFields(operation, known).length + bodyFields(operation).length === 0;
  };
  return {
    run(action, row) {
      const isAtOnce = action.operation.asks === false && needsNothing(action, row);
      if (isAtOnce) void runAtOnce(action, row);
      else setRunning({ action, row });
    },
    dialog: running && (
      <ActionDialog
        {...running}
        resource={resource}
        scope={scope}
        onClose={() => setRunning(undefined)}
        onDone={onDone}
      />
    ),
  };
}
