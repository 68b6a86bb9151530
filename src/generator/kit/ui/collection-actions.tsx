import type { ScopeValues } from "../api/backend.ts";
import type { Resource } from "../descriptor.ts";
import { Button, ButtonLink } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { inSentence } from "./in-sentence.ts";
import { Menu } from "./menu.tsx";
import { actionIcon, fitAsButtons, type RecordCommands } from "./record-commands.tsx";

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
  const isMenu = !fitAsButtons(actions);
  return (
    <>
      {isMenu && (
        <Menu
          label="More actions"
          className="button button-plain"
          items={actions.map((action) => ({
            id: action.id,
            label: action.label,
            icon: actionIcon(action),
            danger: action.dangerous,
            onSelect: () => commands.run(action),
          }))}
        >
          <span>Actions</span>
          <Icon name="chevronDown" size={14} />
        </Menu>
      )}
      {!isMenu &&
        actions.map((action) => (
          <Button key={action.id} icon={actionIcon(action)} onClick={() => commands.run(action)}>
            {action.label}
          </Button>
        ))}
      {resource.create && (
        <ButtonLink
          to={{ page: "create", resource: resource.id, query: scope }}
          tone="primary"
          icon="add"
        >
          New {inSentence(resource.name)}
        </ButtonLink>
      )}
    </>
  );
}
