import { Fragment, useId } from "react";
import { cookieLimit, isCookieKey } from "../api/cookie-keys.ts";
import type { AuthScheme } from "../descriptor.ts";
import type { SecretDraft } from "./credential-drafts.ts";
import { SafeLink } from "./values/safe-link.tsx";
import { useWorkspace } from "./workspace.tsx";

/** The inputs of one way to prove who one is. */
export function CredentialFields({
  scheme,
  draft = {},
  onChange,
}: {
  scheme: AuthScheme;
  draft?: SecretDraft;
  onChange: (draft: SecretDraft) => void;
}) {
  const { canSetCookies } = useWorkspace().session;
  return (
    <fieldset className="field credential">
      <legend className="field-label">{scheme.label}</legend>
      {isCookieKey(scheme) && !canSetCookies ? (
        <BrowserCookie draft={draft} onChange={onChange} />
      ) : scheme.kind === "basic" ? (
        <div className="field-grid">
          <SecretInput
            label="User name"
            value={draft.username}
            onChange={(username) => onChange({ ...draft, username })}
          />
          <SecretInput
            label="Password"
            secret
            value={draft.password}
            onChange={(password) => onChange({ ...draft, password })}
          />
        </div>
      ) : (
        <SecretInput
          label={secretLabel(scheme)}
          secret
          value={draft.token}
          onChange={(token) => onChange({ ...draft, token })}
        />
      )}
      {scheme.description && <p className="field-help">{scheme.description}</p>}
      <TokenSources scheme={scheme} />
    </fieldset>
  );
}

/** Stands for whatever the browser has: it is never sent, a page's own cookies are dropped. */
const ownCookie = "browser";

/** What is entered could not be sent, so there is nothing to enter but whether to send what is there. */
function BrowserCookie({
  draft,
  onChange,
}: {
  draft: SecretDraft;
  onChange: (draft: SecretDraft) => void;
}) {
  const id = useId();
  return (
    <>
      <p id={id} className="credential-limit">
        {cookieLimit}
      </p>
      <label className="check">
        <input
          type="checkbox"
          aria-describedby={id}
          checked={draft.token === ownCookie}
          onChange={(event) => onChange({ token: event.target.checked ? ownCookie : undefined })}
        />
        <span>Send the cookies that this browser has for the API</span>
      </label>
    </>
  );
}

function SecretInput({
  label,
  secret = false,
  value = "",
  onChange,
}: {
  label: string;
  secret?: boolean;
  value?: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label className="field-sublabel" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="input"
        type={secret ? "password" : "text"}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** Where tokens come from, for schemes that have such a place. */
function TokenSources({ scheme }: { scheme: AuthScheme }) {
  const flows = scheme.flows ?? [];
  const addresses = flows.flatMap((flow) => flow.authorizationUrl ?? flow.tokenUrl ?? []);
  const all = scheme.openIdConnectUrl ? [...addresses, scheme.openIdConnectUrl] : addresses;
  if (all.length === 0) return null;
  return (
    <p className="field-help">
      Tokens are issued at{" "}
      {[...new Set(all)].map((address, index) => (
        <Fragment key={address}>
          {index > 0 && ", "}
          <SafeLink address={address} />
        </Fragment>
      ))}
    </p>
  );
}

function secretLabel(scheme: AuthScheme): string {
  if (scheme.kind === "apiKey") return `${scheme.name ?? "Key"} (${scheme.in ?? "header"})`;
  return scheme.kind === "other" ? (scheme.scheme ?? "Value") : "Access token";
}
