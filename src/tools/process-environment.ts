import { delimiter, isAbsolute } from "node:path";

const secretAnywhere = /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY/i;
const secretAsWord =
  /(^|[_\W\d])(KEYS?|PASS|PAT|PW|AUTH|AUTHORIZATION|SESSION|SID|JWT|BEARER|SIGNATURE|DSN)([_\W\d]|$)/i;
const holdsAddress =
  /(DATABASE|MONGO|MONGODB|REDIS|POSTGRES|POSTGRESQL|MYSQL|AMQP|RABBITMQ)_?(URL|URI)|CONNECTION_?STRING/i;

/** Called like a secret, and needed to find a desktop, a keyring or an SSH agent. */
const noSecret = /^(SSH_AUTH_SOCK|XDG_SESSION_\w+|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION|SESSION_MANAGER)$/;

/** Would make a shell or git do what nobody sees, or read a line otherwise than it was shown. */
const bends =
  /^(GIT_CONFIG_(COUNT|PARAMETERS|KEY_\d+|VALUE_\d+)|BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|CDPATH|GLOBIGNORE|IFS|PS4|PROMPT_COMMAND|POSIXLY_CORRECT|ZDOTDIR)$/s;

/** Whether a variable's name says that its value is nobody's business. */
export function isSecretName(name: string): boolean {
  if (noSecret.test(name)) return false;
  return [/^DRAGOMAN_/i, secretAnywhere, secretAsWord, holdsAddress].some((pattern) => pattern.test(name));
}

/** What a command that an agent runs gets to see of our own environment. Nothing in it waits for a person or a terminal. */
export function cleanEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !isSecretName(name) && !bends.test(name)) kept[name] = value;
  }
  // A folder that is not absolute is one in the workspace: `ls` would be what someone put there.
  if (kept.PATH) kept.PATH = kept.PATH.split(delimiter).filter(isAbsolute).join(delimiter);
  return { ...kept, TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };
}
