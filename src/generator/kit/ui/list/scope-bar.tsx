import { useMemo } from "react";
import type { ScopeValues } from "../../api/backend.ts";
import type { Field, Resource } from "../../descriptor.ts";
import { Button } from "../button.tsx";
import { inSentence } from "../in-sentence.ts";
import { FormFields } from "../inputs/form-fields.tsx";
import { useForm } from "../inputs/use-form.ts";
import { useWorkspace } from "../workspace.tsx";

/** What a resource lies below: in which repository, for which owner. */
export function ScopeBar({
  resource,
  scope,
  onChange,
}: {
  resource: Resource;
  scope: ScopeValues;
  onChange: (scope: ScopeValues) => void;
}) {
  const { mode } = useWorkspace().connection;
  // Sample data is the same everywhere, so nothing has to be said to see it.
  const fields = useMemo(
    () => scopeFields(resource).map((field) => ({ ...field, required: mode === "live" })),
    [resource, mode],
  );
  const form = useForm(fields, undefined, scope);
  const apply = () => {
    const values = form.submit();
    if (!values) return;
    onChange(
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
    );
  };
  return (
    <form
      noValidate
      className="scopes"
      aria-label={`Where to look for ${inSentence(resource.plural)}`}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.defaultPrevented) return;
        if (event.target instanceof HTMLInputElement) apply();
      }}
    >
      <FormFields form={form} />
      <Button onClick={apply}>Show</Button>
    </form>
  );
}

/** Inputs for the scopes; one that a resource's records give is picked among them. */
export function scopeFields(resource: Resource): Field[] {
  return (resource.scopes ?? []).map((scope) => ({
    ...scope.field,
    name: scope.param,
    required: true,
    description: undefined,
    ...(scope.resource ? { relation: { resource: scope.resource } } : {}),
  }));
}
