import type { Segment } from "../core/tool.ts";
import { programName } from "./command-line-opacity.ts";

/** They bring files of another commit, links among them. */
const bringsFiles =
  /^git (checkout|switch|restore|reset|stash|merge|pull|rebase|cherry-pick|revert|clone|worktree|apply|am)$/;

/** They open the files that they are given. */
const opensFiles =
  /^(cat|head|tail|tac|nl|od|xxd|strings|e?grep|fgrep|rg|ag|ack|sed|sort|uniq|cut|diff|cmp|comm|paste|join|jq|yq|tee|cp|mv|dd|touch|truncate|chmod)$/;

/** Where a path leads is looked at before the line runs: what is opened after files were brought may be something else by then. */
export function withOrder<Part extends Segment>(segments: Part[]): Part[] {
  const first = segments.findIndex(({ words, runs = [] }) => [words, ...runs].some(isBringing));
  if (first < 0) return segments;
  return segments.map((segment, at) => {
    const isOpening =
      at > first && segment.words.slice(1).some(isOperand) && opensFiles.test(programName(segment.words[0] ?? ""));
    return isOpening && !segment.opaque
      ? { ...segment, opaque: "it opens files that the line may have changed" }
      : segment;
  });
}

const isOperand = (word: string) => !/^-\w+$/.test(word);

const isBringing = ([program = "", first = ""]: string[]) => bringsFiles.test(`${programName(program)} ${first}`);
