import { cleanEnvironment, pathOutside } from "./process-environment.ts";

/** Of git's own variables, those that say who someone is and how a remote is reached; not which repository is meant. */
const kept = /^GIT_(AUTHOR_|COMMITTER_|SSH|SSL_|HTTP_|PROXY|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$)/;

/** What git gets to see: nothing that points it elsewhere, no program from the folder itself, nobody to ask. */
export function gitEnvironment(workspace: string, env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const clean = Object.entries(cleanEnvironment(env)).filter(([name]) => !name.startsWith("GIT_") || kept.test(name));
  return {
    ...Object.fromEntries(clean),
    PATH: pathOutside(workspace, env.PATH),
    // Messages are looked at in places.
    LC_ALL: "C.UTF-8",
    LANGUAGE: "",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_EDITOR: "true",
    GIT_PAGER: "cat",
  };
}
