import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/**
 * Opens a link in the user's browser. Every user of the machine can see the arguments of a command, and a sign-in link is good for
 * whoever is first: so the command is given a file that only its owner can read, which leads on to the link.
 */
export function openInBrowser(link: string, folder: string, onFailure: (error: Error) => void): void {
  const path = join(folder, "open.html"); // it stays: who knows when the browser reads it, and the link works once
  const target = link.replace(/[&"'<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const page = `<!doctype html><meta http-equiv="refresh" content="0; url=${target}"><title>Dragoman</title>\n`;
  rmSync(path, { force: true });
  writeFileSync(path, page, { flag: "wx", mode: 0o600 });
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  const opener = spawn(command, [...args, pathToFileURL(path).href], { stdio: "ignore", detached: true });
  opener.on("error", onFailure);
  opener.unref();
}
