import { useEffect, useRef } from "react";
import type { ApiError } from "../../api/backend.ts";
import { Icon } from "../icon.tsx";
import { ConnectButton } from "../states.tsx";
import { type Form, inputId, labelAt } from "./use-form.ts";

/** All that is wrong, in one place, with a way to each field. Takes the focus after a submit. */
export function ErrorSummary({
  forms,
  failure,
  isConnectedSince,
  attempts,
}: {
  forms: Form[];
  /** What the API said about the whole. */
  failure?: ApiError;
  /** Since then somebody signed in, so that it may work now. */
  isConnectedSince: boolean;
  /** How often it was tried. */
  attempts: number;
}) {
  const summary = useRef<HTMLDivElement>(null);
  const problems = forms.flatMap((form) =>
    Object.entries(form.errors).map(([path, text]) => ({ form, path, text })),
  );
  useEffect(() => {
    // Also when the button in it leaves after its work is done.
    if (attempts > 0 || isConnectedSince) summary.current?.focus();
  }, [attempts, isConnectedSince]);
  if (attempts === 0 || (problems.length === 0 && !failure)) return null;
  if (failure && isConnectedSince) {
    return (
      <div ref={summary} tabIndex={-1} role="status" className="summary summary-good">
        <Icon name="check" />
        <p className="summary-title">You are connected: try again. What you entered is kept.</p>
      </div>
    );
  }
  return (
    <div ref={summary} tabIndex={-1} role="alert" className="summary">
      <Icon name="alert" />
      <div>
        <p className="summary-title">{failure?.message ?? summaryTitle(problems.length)}</p>
        {failure?.hint && <p>{failure.hint}</p>}
        {failure && <ConnectButton error={failure} />}
        {problems.length > 0 && (
          <ul>
            {problems.map(({ form, path, text }) => (
              <li key={inputId(form, path)}>
                <button type="button" className="link" onClick={() => focusField(form, path)}>
                  {labelAt(form.fields, path)}
                </button>
                : {text}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function summaryTitle(count: number): string {
  return count === 1 ? "One thing needs your attention." : `${count} things need your attention.`;
}

/** The input of the path, or of the nearest thing that holds it, wherever it is folded away. */
export function focusField(form: Form, path: string) {
  const steps = path.split(".");
  for (let length = steps.length; length > 0; length--) {
    const input = document.getElementById(inputId(form, steps.slice(0, length).join(".")));
    if (!input) continue;
    input.closest("details")?.setAttribute("open", "");
    input.focus();
    return;
  }
}
