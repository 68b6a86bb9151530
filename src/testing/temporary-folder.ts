import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

export interface TemporaryFolder {
  readonly path: string;
  /** The path of a file that is not there yet. */
  newPath(): string;
}

/** A folder that is there while the tests of the file that asks for it run. */
export function temporaryFolder(): TemporaryFolder {
  let path = "";
  let files = 0;

  beforeAll(() => {
    path = mkdtempSync(join(tmpdir(), "dragoman-test-"));
  });

  afterAll(() => rmSync(path, { recursive: true, force: true }));

  return {
    get path() {
      return path;
    },
    newPath: () => join(path, `store-${files++}.db`),
  };
}
