import { expect, test } from "vitest";
import { isDeletion } from "./deletion.ts";

const deletes = [
  "rm -rf src",
  "/bin/rm x",
  "rmdir a",
  "unlink a",
  "shred -u key",
  "git push --force",
  "git push -f origin main",
  "git push -uf origin main",
  "git push --force-with-lease=main origin",
  "git push origin +main",
  "git push origin :old",
  "git push --delete origin old",
  "git push --mirror",
  "git -C sub -c a.b=c push --force",
  "git clean -fd",
  "git rm x",
  "git restore .",
  "git checkout -- .",
  "git checkout .",
  "git checkout -f main",
  "git switch --discard-changes main",
  "git reset --hard HEAD~1",
  "git stash drop",
  "git branch -D old",
  "git branch --delete old",
  "git tag -d v1",
  "git worktree remove x",
  "git update-ref -d refs/heads/x",
];

const keeps = [
  "ls",
  "npm test",
  "grep rm x",
  "git status",
  "git push",
  "git push -u origin feature/delete-force",
  "git commit -m rm",
  "git checkout main",
  "git switch -c new",
  "git reset HEAD x",
  "git stash",
  "git branch new",
  "git tag v1",
  "git --no-pager log",
  "",
];

test.each(deletes)("%s deletes", (line) => {
  expect(isDeletion(line.split(" "))).toBe(true);
});

test.each(keeps)("%j keeps what there is", (line) => {
  expect(isDeletion(line.split(" "))).toBe(false);
});
