export type Verdict = "ok" | "warning" | "problem";

/** What a check found. */
export interface Finding {
  /** What was looked at. */
  about: string;
  verdict: Verdict;
  text: string;
  /** What to do about it. */
  mend?: string;
}

/** What `--mend` did, or could not do. */
export interface Mended {
  done: boolean;
  text: string;
}

export const ok = (about: string, text: string): Finding => ({ about, verdict: "ok", text });
export const warning = (about: string, text: string, mend: string): Finding => ({
  about,
  verdict: "warning",
  text,
  mend,
});
export const problem = (about: string, text: string, mend: string): Finding => ({
  about,
  verdict: "problem",
  text,
  mend,
});

/** The command does it. */
export const BY_MEND = "dragoman doctor --mend";
