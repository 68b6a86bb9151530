import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";
import { isWithin } from "./real-path.ts";

const secretAnywhere =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|_PWD$/i;
const secretAsWord =
  /(^|[_\W\d])(KEYS?|PASS|PAT|PW|WEBHOOK|AUTH|AUTHORIZATION|SESSION|SID|JWT|BEARER|SIGNATURE|DSN)([_\W\d]|$)/i;
const holdsAddress =
  /(DATABASE|MONGO|MONGODB|REDIS|POSTGRES|POSTGRESQL|MYSQL|AMQP|RABBITMQ)_?(URL|URI)|CONNECTION_?STRING/i;

/** Called like a secret, and needed to find a desktop, a keyring or an SSH agent. */
const noSecret = /^(SSH_AUTH_SOCK|XDG_SESSION_\w+|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION|SESSION_MANAGER)$/;
/** What our own messages speak of: a path or a name that is blacked out in them helps nobody. */
const told =
  /^DRAGOMAN_(HOME|ENGINE|MODEL|MODEL_(BASE_URL|NAME)|ACP_COMMAND|COPILOT_(BASE_URL|MODEL|WIRE_API|TYPE|HOME))$/;

/** Would make a shell or git do what nobody sees, or read a line otherwise than it was shown. */
const bends =
  /^(GIT_CONFIG_(COUNT|PARAMETERS|KEY_\d+|VALUE_\d+)|BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|CDPATH|GLOBIGNORE|IFS|PS4|PROMPT_COMMAND|POSIXLY_CORRECT|ZDOTDIR)$/s;

/** Whether a variable's name says that its value is nobody's business. */
export function isSecretName(name: string): boolean {
  if (noSecret.test(name) || told.test(name)) return false;
  return [/^DRAGOMAN_/i, secretAnywhere, secretAsWord, holdsAddress].some((pattern) => pattern.test(name));
}

/** What a command that an agent runs gets to see of our own environment. Nothing in it waits for a person or a terminal. */
export function cleanEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !isSecretName(name) && !told.test(name) && !bends.test(name)) kept[name] = value;
  }
  // A folder that is not absolute is one in the workspace: `ls` would be what someone put there.
  if (kept.PATH) kept.PATH = kept.PATH.split(delimiter).filter(isAbsolute).join(delimiter);
  return { ...kept, TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };
}

/**
 * Where programs are looked for, without what may have come with the folder: what lies in it or in the repository that it is a part of, and the
 * `node_modules/.bin` of the folders above it, which `npx` puts first.
 */
export function pathOutside(workspace: string, path = "/usr/local/bin:/usr/bin:/bin"): string {
  const repository = repositoryOf(workspace);
  const isOutside = (folder: string) => {
    const place = real(folder);
    return (
      isAbsolute(folder) && !isWithin(repository, place) && !isWithin(workspace, place) && !isOfAbove(workspace, place)
    );
  };
  return path.split(delimiter).filter(isOutside).join(delimiter);
}

/** The root of what was cloned. Who keeps their home folder in a repository has everything of their own in there. */
function repositoryOf(workspace: string): string {
  const home = real(homedir());
  for (let at = real(workspace); !isWithin(at, home); at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
  }
  return workspace;
}

function isOfAbove(workspace: string, folder: string): boolean {
  return folder.endsWith(join(sep, "node_modules", ".bin")) && isWithin(dirname(dirname(folder)), real(workspace));
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // It is not there.
  }
}
