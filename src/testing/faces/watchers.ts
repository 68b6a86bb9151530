import type { Begun, Door, Face } from "./face.ts";
import { watchOnLive } from "./live-face.ts";
import { watchOnOperations } from "./operations-face.ts";
import { watchOnSidecar } from "./sidecar-face.ts";
import { watchOnStudio } from "./studio-face.ts";
import { watchOnUi } from "./ui-face.ts";

type Watch = (door: Door, begun: Begun, after?: number) => Promise<Face>;

/** How a session of a server is watched on each protocol. */
export const watchers: Record<"ui" | "studio" | "operations" | "sidecar" | "live", Watch> = {
  ui: async (door, begun, after) => watchOnUi(await door.wire("/ui"), begun, after),
  studio: async (door, begun, after) => watchOnStudio(await door.wire("/studio"), begun, after),
  operations: watchOnOperations,
  sidecar: watchOnSidecar,
  live: async (door, begun, after) => watchOnLive(await door.wire("/live"), begun, after),
};

export async function watchOnAll(door: Door, begun: Begun, after?: number): Promise<Face[]> {
  return Promise.all(Object.values(watchers).map((watch) => watch(door, begun, after)));
}
