import { beyond } from "./beyond.ts";
import { branches } from "./branches.ts";
import { commands } from "./commands.ts";
import { committing } from "./committing.ts";
import { editing } from "./editing.ts";
import type { Family } from "./family.ts";
import { finding } from "./finding.ts";
import { git } from "./git.ts";
import { listing } from "./listing.ts";
import { moving } from "./moving.ts";
import { project } from "./project.ts";
import { reading } from "./reading.ts";
import { searching } from "./searching.ts";
import { talk } from "./talk.ts";
import { undoing } from "./undoing.ts";
import { writing } from "./writing.ts";

/**
 * What can be asked for, the narrower before the wider: "list the changed files" is about git before it is about files, and a file's
 * name after "find" before a text. Adding one is one new file and one line here.
 */
export const work: Family[] = [
  committing,
  undoing,
  git,
  branches,
  moving,
  editing,
  writing,
  project,
  reading,
  listing,
  finding,
  searching,
  commands,
];

export const families: Family[] = [talk(work), ...work, beyond];
