/** The documents of a feature, as they are called on the wire and, with `.md`, in its folder. */
export const documentNames = ["spec", "plan", "task"] as const;
export type DocumentName = (typeof documentNames)[number];

/** The most that a document may have, in bytes of UTF-8. */
export const documentLimits: Record<DocumentName, number> = { spec: 100_000, plan: 100_000, task: 200_000 };

export type Documents = Partial<Record<DocumentName, string>>;

/** Where something was found. Lines count from 1. */
export interface Place {
  document: DocumentName;
  line: number;
  /** The words there, short enough to be shown. */
  quote: string;
}
