import { type ReactNode, useState } from "react";
import type { ApiError, Row, ScopeValues } from "../api/backend.ts";
import { keyOf, titleOf } from "../api/record.ts";
import type { Action, Resource } from "../descriptor.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { ConfirmDialog } from "./dialog.tsx";
import { inSentence } from "./in-sentence.ts";
import type { MenuItem } from "./menu.tsx";
import { useRouter } from "./router.tsx";
import { ConnectButton } from "./states.tsx";
import { useNotify } from "./toasts.tsx";
import { apiErrorOf } from "./use-load.ts";
import { useWorkspace } from "./workspace.tsx";

export interface RecordCommands {
  /** What can be done with a record, for a menu. */
  of(row: Row): MenuItem[];
  confirmDelete(row: Row): void;
  run(action: Action, row?: Row): void;
  /** To be rendered somewhere. */
  dialogs: ReactNode;
}

/** Edit, delete and the actions of a resource, with the dialogs that they need. */
export function useRecordCommands(
  resource: Resource,
  scope: ScopeValues,
  on: { changed: () => void; deleted: () => void },
): RecordCommands {
  const router = useRouter();
  const [deleting, setDeleting] = useState<Row>();
  const [running, setRunning] = useState<{ action: Action; row?: Row }>();
  const edit = (row: Row) =>
    router.navigate({
      page: "edit",
      resource: resource.id,
      key: keyOf(resource, row),
      query: scope,
    });
  const run = (action: Action, row?: Row) => setRunning({ action, row });
  return {
    of: (row) => recordMenu(resource, row, { edit, run, remove: setDeleting }),
    confirmDelete: setDeleting,
    run,
    dialogs: (
      <>
        {deleting && (
          <DeleteDialog
            resource={resource}
            scope={scope}
            row={deleting}
            onClose={() => setDeleting(undefined)}
            onDeleted={on.deleted}
          />
        )}
        {running && (
          <ActionDialog
            action={running.action}
            resource={resource}
            scope={scope}
            row={running.row}
            onClose={() => setRunning(undefined)}
            onDone={on.changed}
          />
        )}
      </>
    ),
  };
}

/** What the API offers for one record. Without a key it cannot be named to the API. */
function recordMenu(
  resource: Resource,
  row: Row,
  on: {
    edit: (row: Row) => void;
    run: (action: Action, row: Row) => void;
    remove: (row: Row) => void;
  },
): MenuItem[] {
  if (keyOf(resource, row) === undefined) return [];
  const items: MenuItem[] = resource.actions
    .filter((action) => action.on === "record")
    .map((action) => ({
      id: `action ${action.id}`,
      label: action.label,
      icon: actionIcon(action),
      danger: action.dangerous,
      onSelect: () => on.run(action, row),
    }));
  if (resource.update) {
    items.unshift({ id: "edit", label: "Edit", icon: "edit", onSelect: () => on.edit(row) });
  }
  if (resource.remove) {
    const onSelect = () => on.remove(row);
    items.push({ id: "delete", label: "Delete", icon: "trash", danger: true, onSelect });
  }
  return items;
}

export function actionIcon(action: Action) {
  if (action.kind === "upload") return "upload" as const;
  return action.kind === "download" ? ("download" as const) : ("bolt" as const);
}

function DeleteDialog({
  resource,
  scope,
  row,
  onClose,
  onDeleted,
}: {
  resource: Resource;
  scope: ScopeValues;
  row: Row;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const { backend, memory } = useWorkspace();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiError>();
  const title = titleOf(resource, row);
  const remove = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const key = keyOf(resource, row);
      await backend.remove(resource, scope, key);
      if (key !== undefined) memory.forget(resource, scope, key);
      notify(`Deleted ${title}.`);
      onClose();
      onDeleted();
    } catch (error) {
      setProblem(apiErrorOf(error));
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      title={`Delete ${inSentence(resource.name)}?`}
      confirmLabel="Delete"
      busy={busy}
      onConfirm={remove}
      onCancel={onClose}
    >
      <p>
        <strong>{title}</strong> will be deleted. This cannot be undone.
      </p>
      {problem && (
        <div role="alert" className="dialog-problem">
          <p className="field-error">{problem.message}</p>
          {problem.hint && <p>{problem.hint}</p>}
          <ConnectButton error={problem} />
        </div>
      )}
    </ConfirmDialog>
  );
}
