import { type KeyboardEvent, useId, useState } from "react";
import { type FileResult, isFileResult } from "../api/backend.ts";
import type { Action, Json } from "../descriptor.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { Button } from "./button.tsx";
import { credentialsOf, draftsOf, type SecretDraft, signInToken } from "./credential-drafts.ts";
import { CredentialFields } from "./credential-fields.tsx";
import { Dialog } from "./dialog.tsx";
import { useNotify } from "./toasts.tsx";
import { useWorkspace } from "./workspace.tsx";

/** Where the API is and who one is there. What is entered stays in memory. */
export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const { descriptor, session, connection } = useWorkspace();
  const { api, settings } = descriptor;
  const draft = useConnectionDraft();
  const [running, setRunning] = useState<Action>();
  const notify = useNotify();
  const schemes = settings.includeAuth ? api.auth : [];
  const isLive = connection.mode === "live";
  const isUsable = isAddress(draft.server);
  const finish = () => {
    draft.connect();
    notify(`Using the API at ${draft.server.trim()}.`);
    onClose();
  };
  const finishByKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault(); // or it would press what has the focus after this
    if (isUsable) finish();
  };
  const leave = () => {
    session.disconnect();
    onClose();
  };
  const footer = (
    <>
      {isLive && <Button onClick={leave}>Back to sample data</Button>}
      <Button tone="primary" icon="plug" onClick={finish} disabled={!isUsable}>
        {isLive ? "Reconnect" : "Connect"}
      </Button>
    </>
  );
  return (
    <Dialog title="Connect to the API" onClose={onClose} footer={footer}>
      <p className="dialog-text">{isLive ? liveText : sampleText}</p>
      {/* A native submit is refused in a sandbox, so Enter and the button call the same function. */}
      <form onKeyDown={finishByKey} onSubmit={(event) => event.preventDefault()}>
        <ServerField servers={api.servers} server={draft.server} onChange={draft.setServer} />
        {schemes.map((scheme) => (
          <CredentialFields
            key={scheme.id}
            scheme={scheme}
            draft={draft.secretOf(scheme.id)}
            onChange={(secret) => draft.setSecret(scheme.id, secret)}
          />
        ))}
      </form>
      {schemes.length > 0 && <p className="dialog-note">{memoryText}</p>}
      <SignInActions
        actions={settings.includeAuth ? (api.signIn ?? []) : []}
        onRun={(action) => {
          draft.connect();
          setRunning(action);
        }}
      />
      {running && (
        <ActionDialog
          action={running}
          scope={{}}
          onClose={() => setRunning(undefined)}
          onDone={() => {}}
          onResult={draft.takeToken}
        />
      )}
    </Dialog>
  );
}

const liveText = "You are working with live data: changes are real.";
const sampleText = "You are looking at sample data. Connect to work with the API itself.";
const memoryText = "Credentials are kept in memory only, until this page is closed.";

/** What is entered, before it is used. */
function useConnectionDraft() {
  const { descriptor, session, connection } = useWorkspace();
  const notify = useNotify();
  const [server, setServer] = useState(connection.server);
  const [secrets, setSecrets] = useState(() => draftsOf(connection.credentials));
  const connectWith = (present: Record<string, SecretDraft>) =>
    session.connect(server.trim(), credentialsOf(present));
  const secretOf = (scheme: string) => (Object.hasOwn(secrets, scheme) ? secrets[scheme] : {});
  return {
    server,
    setServer,
    secretOf,
    setSecret: (scheme: string, secret: SecretDraft) =>
      setSecrets({ ...secrets, [scheme]: secret }),
    connect: () => connectWith(secrets),
    /** An answer to a sign-in often holds a token, which then proves who one is. */
    takeToken(result: Json | FileResult | undefined) {
      const found = isFileResult(result) ? undefined : signInToken(descriptor.api.auth, result);
      if (!found) return;
      const next = {
        ...secrets,
        [found.scheme]: { ...secretOf(found.scheme), token: found.token },
      };
      setSecrets(next);
      connectWith(next);
      notify("Signed in: the token is used from now on.");
    },
  };
}

function ServerField({
  servers,
  server,
  onChange,
}: {
  servers: string[];
  server: string;
  onChange: (server: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        Server
      </label>
      <input
        id={id}
        className="input"
        type="text"
        inputMode="url"
        spellCheck={false}
        autoComplete="off"
        placeholder="https://api.example.com"
        aria-describedby={isRelative(server) ? `${id}-help` : undefined}
        list={servers.length > 1 ? `${id}-servers` : undefined}
        value={server}
        onChange={(event) => onChange(event.target.value)}
      />
      {isRelative(server) && (
        <p id={`${id}-help`} className="field-help">
          {isAddress(server)
            ? "Without “https://” this is a path on the site of this page."
            : "An address begins with “https://”, or with “/” for a path on the site of this page."}
        </p>
      )}
      {servers.length > 1 && (
        <datalist id={`${id}-servers`}>
          {servers.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </div>
  );
}

function isAddress(server: string): boolean {
  return /^(?:https?:\/\/[^\s/]|\/)\S*$/i.test(server.trim());
}

function isRelative(server: string): boolean {
  return server.trim() !== "" && !/^https?:\/\//i.test(server.trim());
}

function SignInActions({ actions, onRun }: { actions: Action[]; onRun: (action: Action) => void }) {
  if (actions.length === 0) return null;
  return (
    <section className="sign-in">
      <h3 className="field-label">Sign in by the API</h3>
      <div className="button-row">
        {actions.map((action) => (
          <Button key={action.id} onClick={() => onRun(action)}>
            {action.label}
          </Button>
        ))}
      </div>
    </section>
  );
}
