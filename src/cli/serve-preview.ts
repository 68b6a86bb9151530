import { fileURLToPath } from "node:url";
import { DragomanError } from "../core/errors.ts";
import { randomId } from "../core/ids.ts";
import { packageFolder } from "../core/package-folder.ts";
import type { Caller } from "../core/roles.ts";
import { wholeVersion } from "../core/versions.ts";
import { engineOfNew } from "../dialects/engine-choice.ts";
import { rulesOf } from "../dialects/studio/server/permitted.ts";
import { generation } from "../dialects/studio/server/run-input.ts";
import type { Services } from "../dialects/studio/server/services.ts";
import { logOf } from "../dialects/studio/server/version-handlers.ts";
import { VisibleSessions } from "../dialects/studio/server/visible-sessions.ts";
import { DescribedApis } from "../preview/described-apis.ts";
import { FrameBundles } from "../preview/frame-bundles.ts";
import type { PreviewOptions, PreviewSessions } from "../preview/preview-options.ts";
import { Vault } from "../preview/vault.ts";
import { dataFolder } from "../tools/data-folder.ts";
import { pageFolder } from "./serve-page.ts";

/** What the run that makes an interface is asked for. */
export type InterfaceWish = Pick<Parameters<typeof generation>[0], "source" | "spec" | "theme" | "options">;

/** All that the preview works with, on a node. */
export function servePreview(services: Services): PreviewOptions {
  return {
    sessions: previewSessions(services),
    vault: new Vault(dataFolder()),
    bundles: new FrameBundles({
      // Looked for when something is to be bundled.
      get packageFolder() {
        return packageFolder();
      },
      frameFolder: fileURLToPath(new URL("preview/frame/", pageFolder())),
    }),
  };
}

function previewSessions(services: Services): PreviewSessions {
  const apis = new DescribedApis();
  /** The log of a session that the caller may see; nothing where there is none. */
  const logFor = async (sessionId: string, caller: Caller) => {
    const known = await new VisibleSessions(services, caller).known(sessionId).catch(unlessMissing);
    return known && logOf((await services.node()).runtime.store, sessionId);
  };
  return {
    codeOf: async (sessionId, version, caller) => {
      const log = await logFor(sessionId, caller);
      return log && (await wholeVersion(log, version))?.result.code;
    },
    apiOf: async (sessionId, caller) => {
      const log = await logFor(sessionId, caller);
      return log && apis.of(sessionId, log);
    },
    begin: async (sessionId, source, caller) => {
      if (sessionId !== undefined) await new VisibleSessions(services, caller).known(sessionId);
      const options = { layout: "side", includeAuth: true, pagination: true };
      return beginInterface(services, { source, theme: "light", options }, { sessionId, caller });
    },
  };
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof DragomanError && error.code === "session_not_found")) throw error;
}

/** Without a caller it is the user themself. */
export async function beginInterface(
  services: Services,
  wish: InterfaceWish,
  { sessionId, caller }: { sessionId?: string; caller?: Caller },
): Promise<{ sessionId: string; runId: string }> {
  const node = await services.node();
  const by = { dialect: "studio" as const, client: "dragoman-preview", ...(caller && { user: caller.name }) };
  const session =
    sessionId === undefined
      ? await node.runtime.create({ workspace: services.workspace, ...(await engineOfNew(node, {})), by })
      : await node.runtime.open(sessionId);
  const runId = randomId();
  const asked = generation({ format: "react", ...wish });
  await session.prompt({ ...asked, ...rulesOf(caller), runId, by, whenBusy: "queue" });
  return { sessionId: session.id, runId };
}
