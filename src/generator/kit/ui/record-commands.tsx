import { type ReactNode, useState } from "react";
import type { ApiError, Row, ScopeValues } from "../api/backend.ts";
import { keyOf, titleOf } from "../api/record.ts";
import type { Action, Resource } from "../descriptor.ts";
import { ConfirmDialog } from "./dialog.tsx";
import { inSentence } from "./in-sentence.ts";
import type { MenuItem } from "./menu.tsx";
import { editLabel, removeLabel } from "./operation-labels.ts";
import { useRouter } from "./router.tsx";
import { ConnectButton } from "./states.tsx";
import { useNotify } from "./toasts.tsx";
import { useActions } from "./use-actions.tsx";
import { apiErrorOf } from "./use-load.ts";
import { useWorkspace } from "./workspace.tsx";

export interface RecordCommands {
  /** What can be done with a record, for a menu. */
  of(row: Row): MenuItem[];
  remove(row: Row): void;
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
  const notify = useNotify();
  const [deleting, setDeleting] = useState<Row>();
  const { run, dialog } = useActions({ resource, scope, onDone: on.changed });
  const removal = useRemoval(resource, scope, on.deleted);
  const remove = (row: Row) => {
    if (resource.remove?.asks !== false) return setDeleting(row);
    removal(row).catch((error) => notify(apiErrorOf(error).message, "bad"));
  };
  const edit = (row: Row) =>
    router.navigate({
      page: "edit",
      resource: resource.id,
      key: keyOf(resource, row),
      query: scope,
    });
  return {
    of: (row) => recordMenu(resource, row, { edit, run, remove }),
    remove,
    run,
    dialogs: (
      <>
        {deleting && (
          <DeleteDialog
            resource={resource}
            row={deleting}
            onClose={() => setDeleting(undefined)}
            onRemove={removal}
          />
        )}
        {dialog}
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
    const onSelect = () => on.edit(row);
    items.unshift({ id: "edit", label: editLabel(resource), icon: "edit", onSelect });
  }
  if (resource.remove) {
    const onSelect = () => on.remove(row);
    const label = removeLabel(resource);
    items.push({ id: "delete", label, icon: "trash", danger: true, onSelect });
  }
  return items;
}

export function actionIcon(action: Action) {
  if (action.kind === "upload") return "upload" as const;
  return action.kind === "download" ? ("download" as const) : ("bolt" as const);
}

/** Deletes a record, and tells so. */
function useRemoval(resource: Resource, scope: ScopeValues, onDeleted: () => void) {
  const { backend, memory } = useWorkspace();
  const notify = useNotify();
  return async (row: Row, onDone = () => {}) => {
    const key = keyOf(resource, row);
    await backend.remove(resource, scope, key);
    if (key !== undefined) memory.forget(resource, scope, key);
    notify(`Deleted ${titleOf(resource, row)}.`);
    onDone();
    onDeleted();
  };
}

function DeleteDialog({
  resource,
  row,
  onClose,
  onRemove,
}: {
  resource: Resource;
  row: Row;
  onClose: () => void;
  onRemove: (row: Row, onDone: () => void) => Promise<void>;
}) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiError>();
  const title = titleOf(resource, row);
  const label = removeLabel(resource);
  const remove = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onRemove(row, onClose);
    } catch (error) {
      setProblem(apiErrorOf(error));
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      title={`${label} ${inSentence(resource.name)}?`}
      confirmLabel={label}
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
