import { execFileSync } from "node:child_process";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** A git repository of its own to try things in. */
export class GitRepo {
  readonly path: string;

  constructor(parent: string, { init = true }: { init?: boolean } = {}) {
    this.path = realpathSync(mkdtempSync(join(parent, "repo-")));
    if (init) this.git("init", "--quiet");
  }

  /** Another one that is as this one is now: quicker than to make it again. */
  copy(): GitRepo {
    const copy = new GitRepo(dirname(this.path), { init: false });
    cpSync(this.path, copy.path, { recursive: true });
    return copy;
  }

  git(...args: string[]): string {
    return execFileSync("git", args, { cwd: this.path, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trimEnd();
  }

  files(contents: Record<string, string | Uint8Array>): this {
    for (const [name, content] of Object.entries(contents)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), content);
    }
    return this;
  }

  /** Commits all that there is. */
  commit(message = "more"): this {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "-m", message);
    return this;
  }

  text(name: string): string {
    return readFileSync(join(this.path, name), "utf8");
  }

  /** Everything that must be as it was when a save fails: refs, HEAD, index, and every file with its content and time. */
  state(): unknown {
    const files = (folder: string): unknown[] =>
      readdirSync(join(this.path, folder), { withFileTypes: true }).flatMap((entry): unknown[] => {
        const path = join(folder, entry.name);
        if (path === ".git") return [];
        if (entry.isDirectory()) return [path, ...files(path)];
        const { mtimeMs, ino, mode } = lstatSync(join(this.path, path));
        return [[path, entry.isFile() ? readFileSync(join(this.path, path), "latin1") : "", mtimeMs, ino, mode]];
      });
    return {
      refs: this.git("for-each-ref"),
      head: readFileSync(join(this.path, ".git", "HEAD"), "utf8"),
      index: this.git("ls-files", "--stage"),
      files: files("."),
    };
  }
}
