export interface EnvironmentOptions {
  /** Variables of this process that the runtime gets on top of the usual ones; a `*` at the end stands for any ending. */
  allow?: readonly string[];
  /** Variables that it gets with these values. */
  set?: Record<string, string>;
}

/**
 * What a program needs to find itself at home, and Dragoman's own settings. No key of a provider is among them, no proxy with its password
 * and no agent of SSH: what an agent needs of those the host names.
 */
const usual = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "XDG_*"],
  ...["TEMP", "TMP", "USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA"],
  ...["PROGRAMFILES", "PROGRAMFILES(X86)", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT"],
  "DRAGOMAN_*",
];

/** Of an environment only what is named. Whether a name is in capitals is no matter, as on Windows. */
export function allowedEnvironment(
  env: Record<string, string | undefined>,
  options: EnvironmentOptions = {},
): Record<string, string> {
  const { allow = [], set = {}, ...strays } = options;
  const [stray] = Object.keys(strays);
  if (stray !== undefined) throw new TypeError(`env has "allow" and "set"; "${stray}" belongs into one of them`);
  const patterns = [...usual, ...allow].map((name) => name.toUpperCase());
  const allowed = Object.entries(env).filter(([name]) => patterns.some((pattern) => fits(name.toUpperCase(), pattern)));
  return { ...(Object.fromEntries(allowed) as Record<string, string>), ...set };
}

function fits(name: string, pattern: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
