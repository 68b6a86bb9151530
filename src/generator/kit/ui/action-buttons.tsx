import type { Action } from "../descriptor.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Menu } from "./menu.tsx";
import { actionIcon } from "./record-commands.tsx";

/** A button for each action, or a menu of them where they would take too much room. */
export function ActionButtons({
  actions,
  onRun,
}: {
  actions: Action[];
  onRun: (action: Action) => void;
}) {
  if (fitAsButtons(actions)) {
    return actions.map((action) => (
      <Button key={action.id} icon={actionIcon(action)} onClick={() => onRun(action)}>
        {action.label}
      </Button>
    ));
  }
  return (
    <Menu
      label="More actions"
      className="button button-plain"
      items={actions.map((action) => ({
        id: action.id,
        label: action.label,
        icon: actionIcon(action),
        danger: action.dangerous,
        onSelect: () => onRun(action),
      }))}
    >
      <span>Actions</span>
      <Icon name="chevronDown" size={14} />
    </Menu>
  );
}

/** Whether there is room for a button each; otherwise they go into a menu. */
function fitAsButtons(actions: Action[]): boolean {
  const letters = actions.reduce((sum, action) => sum + action.label.length, 0);
  return actions.length <= 2 && letters <= 40;
}
