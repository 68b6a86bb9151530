import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll } from "vitest";
import { bundleInterface, interfaceListener } from "./preview-alone.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Serves generated interfaces, each alone on a page. */
export function interfaceServers() {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });
  return async (title: string, code: string): Promise<string> => {
    const server = createServer(interfaceListener(title, await bundleInterface(code)));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
}

/** Everything that should not have happened on a page: errors, whatever was written to the console, and requests elsewhere. */
export function complaintsOf(page: Page, url: string): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const isOwn = request.url().startsWith(url) || request.url().startsWith("data:");
    if (!isOwn) complaints.push(`request: ${request.url()}`);
  });
  return complaints;
}

interface AxeFinding {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe finds serious or worse, in words. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // Added by the browser itself, which the page's content policy does not hold back.
  await page.evaluate(axe);
  const violations = await page.evaluate<AxeFinding[]>("axe.run().then(({ violations }) => violations)");
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(" ")} ${nodes[0]?.failureSummary}`);
}
