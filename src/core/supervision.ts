/** A process that is recorded, and about to be started. */
export interface Supervised {
  /** All of it must carry this in its environment: by it what is left behind is found. */
  readonly mark: string;
  /** It runs, under this pid, as the leader of its own group. */
  started(pid: number): void;
  /** Nothing of it is left. */
  ended(): void;
}

/** Resolves when the record is kept. `title` is what the process is to a person, such as its command line. */
export type Supervise = (title: string) => Promise<Supervised>;

/** What was ended of what a lost node had started. */
export interface Leftover {
  mark: string;
  title: string;
  pids: number[];
  /** What could not be ended, as where it got another user's rights. */
  left: number[];
}
