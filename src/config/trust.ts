import { shellWord } from "./printable.ts";
import { changeRecord, type WorkspaceRecord } from "./workspace-record.ts";

/** What the user trusts is a folder with this configuration in it: a digest of its `dragoman.json`, or that there is none. */
export type ConfigurationDigest = string | "absent";

/** `reason` says why not, `hint` also what to do about it. */
export type Trust = { trusted: true; since?: string } | { trusted: false; reason: string; hint: string };

/** Whether the folder is trusted as it is now. A file that came or changed later, with a pull say, was never looked at. */
export function trustOf(record: WorkspaceRecord, now: ConfigurationDigest): Trust {
  if (record.trusted && record.configuration === now) return { trusted: true, since: record.trustedAt };
  const reason = record.trusted ? `Its dragoman.json ${changeOf(record, now)} since the folder was trusted.` : NEVER;
  const hint = `${reason} To see what it would set, and to trust it: dragoman trust ${shellWord(record.workspace)}`;
  return { trusted: false, reason, hint };
}

const NEVER = "The folder is not trusted.";

function changeOf({ configuration }: WorkspaceRecord, now: ConfigurationDigest): string {
  if (now === "absent") return "was removed";
  return configuration === "absent" ? "was added" : "has changed";
}

/** The digest is of what the user was shown, which may not be what is there by now. */
export function grantTrust(home: string, real: string, configuration: ConfigurationDigest, at: Date): Promise<void> {
  const granted = { trusted: true, trustedAt: at.toISOString(), configuration };
  return changeRecord(home, real, (record) => ({ ...record, ...granted }));
}

export function revokeTrust(home: string, real: string): Promise<void> {
  return changeRecord(home, real, (record) => {
    if (!record.trusted) return record;
    return { workspace: record.workspace, trusted: false, allow: record.allow, deny: record.deny };
  });
}
