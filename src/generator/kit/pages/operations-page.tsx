import { Button } from "../ui/button.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { actionIcon } from "../ui/record-commands.tsx";
import { EmptyState } from "../ui/states.tsx";
import { useActions } from "../ui/use-actions.tsx";
import { Badge } from "../ui/values/badge.tsx";
import { useWorkspace } from "../ui/workspace.tsx";

/** What the API can do that belongs to no resource. */
export function OperationsPage() {
  const { api } = useWorkspace().descriptor;
  const { run, dialog } = useActions({ scope: {}, onDone: () => {} });
  return (
    <>
      <PageHeader title="Operations" description="What the API offers beside its records." />
      {api.actions.length === 0 && (
        <EmptyState icon="bolt" title="There are no further operations" />
      )}
      <ul className="operations">
        {api.actions.map((action) => (
          <li key={action.id} className="operation">
            <div className="operation-text">
              <h2 className="operation-title">
                {action.label}{" "}
                {action.operation.deprecated && <Badge tone="wait">Deprecated</Badge>}
              </h2>
              <p className="operation-path">
                <code>
                  {action.operation.method} {action.operation.path}
                </code>
              </p>
              {action.operation.description && <p>{action.operation.description}</p>}
            </div>
            <Button icon={actionIcon(action)} onClick={() => run(action)}>
              Run…
            </Button>
          </li>
        ))}
      </ul>
      {dialog}
    </>
  );
}
