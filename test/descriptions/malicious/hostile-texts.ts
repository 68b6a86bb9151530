// Whatever runs it sets this; nothing ever may.
const canary = "globalThis.pwned=1";

/** Texts that end what they stand in, are something of their own there, or are no names that a program likes. */
export const hostileTexts: string[] = [
  // out of strings, templates, comments, JSX, HTML and Markdown
  ...[`"`, `'`, "`", `\\"`, `\\'`, "\\`", `"}]};`, "*/", "\n", "\r", "\u2028", "\u2029"].map(
    (end) => `${end};${canary};//`,
  ),
  `\${${canary}}`,
  `\\\${${canary}}\nsecond line`,
  `{${canary}}`,
  `</script><script>${canary}</script>`,
  `</title></style></textarea><img src=x onerror=${canary}>`,
  `<!--<script>${canary}//`,
  `]]><svg onload=${canary}>`,
  `" onmouseover="${canary}" autofocus onfocus="${canary}`,
  `[x](javascript:${canary}) ![x](https://elsewhere.invalid/x.png) | \`\`\`\n# heading\n<img src=x onerror=${canary}>`,
  // what tools read in comments
  `@jsxImportSource data:text/javascript,${canary};//`,
  `@jsxRuntime classic @jsx ${canary.split("=")[0]}`,
  "# sourceMappingURL=data:application/json,{}\n//# sourceMappingURL=../../../../etc/passwd\n//",
  `@ts-nocheck @vite-ignore @license /// <reference path="../../x" />`,
  // addresses that run, or tell somebody
  `javascript:${canary}`,
  ` \tJaVaScRiPt:${canary}`,
  `data:text/html,<script>${canary}</script>`,
  `vbscript:${canary}`,
  "https://elsewhere.invalid/x.png",
  "//elsewhere.invalid/x.png",
  "url(https://elsewhere.invalid/x.png)",
  // names that objects, modules, file systems and languages have for themselves
  ...["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "valueOf", "then", "default", "class"],
  ...["index", "api", "con", "../../x", "/etc/passwd", "..\\..\\x", ".", "..", "new", "edit", "-", "%2e%2e", "%"],
  // what is not seen, or not what it seems
  ...[
    "",
    " ",
    "\u0000",
    "\ud800",
    "\u202egnp.exe\u202c",
    "\ufeff",
    "😀",
    "\u001b]0;title\u0007\u001b[2J",
    "$& $1 $` $'",
  ],
];
