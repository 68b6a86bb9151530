import { asHtml } from "../generator/emitting/project-frame.ts";

/**
 * Nothing is loaded, asked or stored, and nobody else is framed or frames it. The second policy holds besides the first: by itself a nonce,
 * which code in the frame might learn, would let scripts in from anywhere.
 */
function framePolicy(nonce: string): string {
  const first = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "font-src data:",
    "connect-src 'none'",
    "worker-src 'none'",
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts",
  ];
  return `${first.join("; ")}, script-src 'unsafe-inline'`;
}

/** None of what a browser asks people for, or might do without asking. */
const PERMISSIONS = [
  ...["camera", "microphone", "geolocation", "display-capture", "clipboard-read", "clipboard-write", "fullscreen"],
  ...["payment", "usb", "serial", "hid", "midi", "publickey-credentials-get", "storage-access"],
  ...["identity-credentials-get", "browsing-topics"],
]
  .map((name) => `${name}=()`)
  .join(", ");

/**
 * A content policy leaves two ways out: peer connections, and the connection that a browser opens when a frame is led away, before it sees
 * that it may not be. Where the browser knows an allowlist of connections, an empty one closes both.
 */
export function frameHeaders(nonce: string): Record<string, string> {
  return {
    "Content-Security-Policy": framePolicy(nonce),
    "Connection-Allowlist": "()",
    "Permissions-Policy": PERMISSIONS,
    "X-DNS-Prefetch-Control": "off",
  };
}

/** The page of a frame: an interface that begins when the page around it says so. */
export function frameDocument({ title, script, nonce }: { title: string; script: string; nonce: string }): string {
  return page(title, `<div id="root"></div>\n    <script nonce="${nonce}">${inHtml(script)}</script>`);
}

/** The same where nothing can be shown: it says so, to people and to the page around it. */
export function refusalDocument({ message, nonce }: { message: string; nonce: string }): string {
  const told = { source: "dragoman", version: 1, id: "1", type: "ERROR", payload: { message: message.slice(0, 4000) } };
  const script = `parent.postMessage(${JSON.stringify(told)}, "*");`;
  return page("Not shown", `<p>${asHtml(message)}</p>\n    <script nonce="${nonce}">${inHtml(script)}</script>`);
}

/** The same script, without what would end its element. */
const inHtml = (script: string) => script.replace(/<(?=\/script|!--)/gi, "\\x3c");

const page = (title: string, content: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${asHtml(title)}</title>
  </head>
  <body>
    ${content}
  </body>
</html>
`;
