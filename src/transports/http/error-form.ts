import type { DragomanError } from "../../core/errors.ts";
import { OwnStatus, statusOf } from "./errors.ts";

/** How errors are told at the paths that begin so, where what is spoken there has a form of its own for them. */
export interface ErrorForm {
  prefix: string;
  body(error: DragomanError, requestId: string): unknown;
  /** Where it has another status for a code than is usual here. */
  status?(error: DragomanError): number;
}

export interface ToldError {
  status: number;
  /** JSON. */
  body: string;
}

/** Puts errors into the form of the path that was asked for. */
export class ErrorForms {
  readonly #forms: readonly ErrorForm[];

  constructor(forms: readonly ErrorForm[] = []) {
    this.#forms = forms;
  }

  /** `url` as it was sent: it may have been refused before its path was read. A `status` that is given goes before the code's. */
  tell(error: DragomanError, url: string | undefined, requestId: string, status?: number): ToldError {
    const form = this.#forms.find(({ prefix }) => url?.startsWith(prefix));
    const ofForm = error instanceof OwnStatus ? undefined : form?.status?.(error);
    return {
      status: status ?? ofForm ?? statusOf(error),
      body: form ? JSON.stringify(form.body(error, requestId)) : usualBody(error),
    };
  }
}

export const usualBody = ({ code, message }: DragomanError) => JSON.stringify({ error: { code, message } });
