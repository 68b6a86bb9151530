import { homedir } from "node:os";
import type { Services } from "../dialects/ui/server/index.ts";

/** What the `ui` dialect tells of a workspace that is read from files, loaded when it is asked for. */
export function catalogues(workspace: string): Pick<Services, "skills" | "mcpServers"> {
  let catalogue: Promise<import("../config/skills.ts").Skills> | undefined;
  return {
    skills: async (cwd, forceReload) => {
      catalogue ??= import("../config/skills.ts").then(({ Skills }) => new Skills({ userFolder: homedir() }));
      return (await catalogue).list({ cwd, forceReload });
    },
    mcpServers: async (scope) => {
      const [{ readConfiguration }, { listMcpServers }, { dataFolder }] = await Promise.all([
        import("../config/configuration.ts"),
        import("../config/mcp.ts"),
        import("../tools/data-folder.ts"),
      ]);
      return listMcpServers(await readConfiguration({ workspace, home: dataFolder(), env: process.env }), scope);
    },
  };
}
