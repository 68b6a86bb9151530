import type { ScopeValues } from "../api/backend.ts";
import type { Resource } from "../descriptor.ts";
import { ActionButtons } from "./action-buttons.tsx";
import { ButtonLink } from "./button.tsx";
import { createLabel } from "./operation-labels.ts";
import type { RecordCommands } from "./record-commands.tsx";

/** What can be done with a resource as a whole: its own actions, and a new record. */
export function CollectionActions({
  resource,
  scope,
  commands,
}: {
  resource: Resource;
  scope: ScopeValues;
  commands: RecordCommands;
}) {
  const actions = resource.actions.filter((action) => action.on !== "record");
  return (
    <>
      <ActionButtons actions={actions} onRun={(action) => commands.run(action)} />
      {resource.create && (
        <ButtonLink
          to={{ page: "create", resource: resource.id, query: scope }}
          tone="primary"
          icon="add"
        >
          {createLabel(resource)}
        </ButtonLink>
      )}
    </>
  );
}
