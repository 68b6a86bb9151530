import { code } from "./answer.ts";
import type { Family } from "./family.ts";
import { pathIn } from "./paths.ts";
import { CONNECT } from "./talk.ts";
import { wording } from "./wording.ts";

const EXPLAIN =
  "(?:explain|describe|summari[sz]e|review|analy[sz]e|understand|walk me through|document|comment|tell me about|what do you think (?:of|about))";

/** What takes understanding. It is recognized to say what comes nearest. */
export const beyond: Family = {
  name: "beyond",
  can: "",
  examples: [],
  forms: [
    {
      pattern: wording`${EXPLAIN} (?:to me )?(?:(?:what|how) )?(?:the )?(?:code (?:in|of) |contents? of |file )?(?<path>\S+?)(?: file| to me| does| works?)*|(?:what|how) does (?:the )?(?:file )?(?<path2>\S+?)(?: file)? (?:do|work)`,
      make: (found, scene) => {
        const path = pathIn(found, found.has("path") ? "path" : "path2", scene);
        return path === undefined
          ? undefined
          : { hint: `That takes a model, and I have none. I can show it: ${code(`show ${path}`)}. ${CONNECT}` };
      },
    },
  ],
};
