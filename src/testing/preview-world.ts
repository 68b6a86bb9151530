import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { pageFolder, pageRoutes } from "../cli/serve-page.ts";
import { packageFolder } from "../core/package-folder.ts";
import { FrameBundles } from "../preview/frame-bundles.ts";
import { previewRoutes } from "../preview/preview-routes.ts";
import { Vault } from "../preview/vault.ts";
import { type HttpWorld, httpWorlds } from "./http-world.ts";
import { MadeSessions } from "./preview-sessions.ts";
import { type Customize, madeStudio } from "./preview-studio.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface PreviewWorld {
  http: HttpWorld;
  sessions: MadeSessions;
  /** Where connections are kept. */
  home: string;
  /** Cuts every socket. */
  cut(): void;
  /** What people call sessions. */
  names: Map<string, string>;
  /** Everything that came to the server, as "GET /preview/frame". */
  asked(): string[];
  /** The page, signed in and with that session open. */
  open(page: Page, sessionId?: string, token?: string): Promise<Page>;
}

const unchanged: Customize = ({ code }) => ({ code, description: "Nothing to change." });

/** The preview on a real server with real tokens, and with sessions in memory. Each is gone after its test. */
export function previewWorlds(): (customize?: Customize) => Promise<PreviewWorld> {
  const newWorld = httpWorlds();
  const folder = temporaryFolder();
  const bundles = new FrameBundles({
    packageFolder: packageFolder(),
    frameFolder: fileURLToPath(new URL("preview/frame/", pageFolder())),
  });
  return async (customize = unchanged) => {
    const home = mkdtempSync(join(folder.path, "vault-"));
    const sessions = new MadeSessions();
    const routes = [...pageRoutes(), ...previewRoutes({ sessions, vault: new Vault(home), bundles })];
    const studio = madeStudio(sessions, customize);
    const http = await newWorld({ moreRoutes: routes, sockets: [studio] });
    return {
      http,
      sessions,
      home,
      cut: studio.cut,
      names: studio.names,
      asked: () =>
        http.logged.flatMap(({ event, method, route }) => (event === "http.answered" ? [`${method} ${route}`] : [])),
      open: async (page, sessionId, token = http.admin) => {
        const grant = http.tokens.verify(token);
        if (!grant) throw new Error("there is no token");
        await page.goto(`${http.url}/sign-in?code=${http.signIns.newLink(grant)}`);
        await page.goto(`${http.url}/preview${sessionId ? `#${sessionId}` : ""}`);
        return page;
      },
    };
  };
}
