import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from "react";
import type { ApiError, BodyObject, FieldErrors, OperationInput, Row } from "../../api/backend.ts";
import {
  bodyFields,
  changedOnly,
  operationInput,
  parameterFields,
} from "../../api/form-reading.ts";
import type { FormValues } from "../../api/form-values.ts";
import type { Field, Operation } from "../../descriptor.ts";
import { Button, type ButtonTone } from "../button.tsx";
import { ConfirmDialog } from "../dialog.tsx";
import { useRouter } from "../router.tsx";
import { apiErrorOf } from "../use-load.ts";
import { useWorkspace } from "../workspace.tsx";
import { ErrorSummary } from "./error-summary.tsx";
import { FormFields } from "./form-fields.tsx";
import { type Form, useForm } from "./use-form.ts";

export interface OperationFormProps {
  operation: Operation;
  /** Parameters that are said elsewhere: the key, and the scopes. */
  known: readonly string[];
  /** The record that is edited. */
  record?: Row;
  /** What a new record starts with, beside the defaults. */
  start?: FormValues;
  submitLabel: string;
  tone?: ButtonTone;
  onSubmit: (input: OperationInput) => Promise<void>;
  onCancel: () => void;
}

/** A form for what an operation wants to know: its parameters and its body. */
export function OperationForm(props: OperationFormProps) {
  const { operation, known, record, start, submitLabel, tone = "primary", onCancel } = props;
  const params = useForm(parameterFields(operation, known));
  const body = useForm(bodyFields(operation), record, start);
  const submission = useSubmission(props, params, body);
  useUnsavedGuard(params.dirty || body.dirty);
  const submitByKey = (event: KeyboardEvent) => {
    const isShortcut = event.key === "Enter" && (event.metaKey || event.ctrlKey);
    if (!isShortcut && !isPlainEnter(event)) return;
    event.preventDefault();
    submission.submit();
  };
  const hasNothing = params.entered.length === 0 && body.entered.length === 0;
  return (
    <>
      {/* A native submit is refused in a sandbox, so Enter and the button call one function. */}
      <form
        noValidate
        className="form"
        aria-busy={submission.busy || undefined}
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={submitByKey}
      >
        <ErrorSummary
          forms={[params, body]}
          failure={submission.failure}
          isConnectedSince={submission.isConnectedSince}
          attempts={submission.attempts}
        />
        {params.entered.length > 0 && <FormFields form={params} />}
        {body.entered.length > 0 && <FormFields form={body} />}
        {hasNothing && <p className="form-nothing">Nothing needs to be filled in.</p>}
        <div className="form-actions">
          <Button tone={tone} onClick={submission.submit} busy={submission.busy}>
            {submitLabel}
          </Button>
          <Button tone="quiet" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </form>
      {submission.asked && (
        <ConfirmDialog
          title={`${submitLabel}?`}
          confirmLabel={submitLabel}
          tone={tone}
          onConfirm={submission.confirm}
          onCancel={submission.decline}
        >
          What you entered is sent when you confirm.
        </ConfirmDialog>
      )}
    </>
  );
}

function useSubmission(
  { operation, record, onSubmit }: OperationFormProps,
  params: Form,
  body: Form,
) {
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState<OperationInput>();
  const [attempts, setAttempts] = useState(0);
  const { revision } = useWorkspace();
  const [failed, setFailed] = useState<{ failure: ApiError; revision: number }>();
  const fail = (error: ApiError) => {
    const forParams = Object.entries(error.fieldErrors).filter(([path]) =>
      params.fields.some((field) => field.name === path),
    );
    const paramErrors: FieldErrors = Object.fromEntries(forParams);
    params.reject(paramErrors);
    body.reject(
      Object.fromEntries(
        Object.entries(error.fieldErrors).filter(([path]) => !Object.hasOwn(paramErrors, path)),
      ),
    );
    setFailed({ failure: error, revision });
    setAttempts((count) => count + 1);
  };
  const submit = async () => {
    if (busy) return;
    setFailed(undefined);
    const paramValues = params.submit();
    const bodyValues = body.submit();
    if (!paramValues || !bodyValues) return setAttempts((count) => count + 1);
    const payload = record ? updatePayload(operation, body.fields, bodyValues, record) : bodyValues;
    const input = operationInput(operation, paramValues, payload);
    // A dialog in which nothing is filled in is a question already.
    const isQuestion = params.entered.length + body.entered.length === 0;
    if (operation.asks && !isQuestion) setAsked(input);
    else await send(input);
  };
  const send = async (input: OperationInput) => {
    setAsked(undefined);
    setBusy(true);
    try {
      await onSubmit(input);
    } catch (error) {
      fail(apiErrorOf(error));
    } finally {
      setBusy(false);
    }
  };
  const isConnectedSince = failed !== undefined && failed.revision !== revision;
  const confirm = () => asked && send(asked);
  const decline = () => setAsked(undefined);
  const failure = failed?.failure;
  return { busy, attempts, failure, isConnectedSince, submit, asked, confirm, decline };
}

/** PUT replaces the whole record; every other update names what changes, and what it must. */
export function updatePayload(
  operation: Operation,
  fields: Field[],
  values: BodyObject,
  record: Row,
): BodyObject {
  if (operation.method === "PUT" || !operation.body?.fields) return values;
  const required = fields
    .filter((field) => field.required && Object.hasOwn(values, field.name))
    .map((field) => [field.name, values[field.name]]);
  return { ...Object.fromEntries(required), ...changedOnly(fields, values, record) };
}

function useUnsavedGuard(hasChanges: boolean) {
  const { guard } = useRouter();
  const form = useId();
  const report = useEffectEvent((changes: boolean) => guard(form, changes));
  useEffect(() => {
    report(hasChanges);
    return () => report(false);
  }, [hasChanges]);
}

/** Enter in an input that has no use of its own for it. */
function isPlainEnter(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.defaultPrevented) return false;
  return event.target instanceof HTMLInputElement && event.target.type !== "file";
}
