// The calls of the `studio` protocol that the preview makes, each in one place.

const MOST_LISTED = 30;

export const studioCalls = (wire) => ({
  /** Resolves when calls can be made. */
  ready: () => wire.ready(),
  /** The latest that have an interface. */
  sessions: async () => {
    const { sessions } = await wire.request("session/list", { limit: MOST_LISTED });
    const made = await Promise.all(
      sessions.map(async ({ sessionId }) => (await wire.request("version/list", { sessionId })).versions.length > 0),
    );
    return sessions.filter((_, at) => made[at]);
  },
  /** From its beginning, or from now on. */
  watch: (sessionId, { whole = false } = {}) =>
    wire.request("session/watch", { sessionId, ...(whole && { after: 0 }) }),
  name: (sessionId, title) => wire.request("session/update", { sessionId, title }),
  unwatch: (sessionId) => wire.request("session/unwatch", { sessionId }),
  customize: ({ sessionId, prompt, history }, onId) =>
    wire.request("customize", { prompt, history, context: { sessionId } }, onId),
  cancel: (requestId) => wire.request("cancel", { requestId, reason: "Cancelled in the preview" }),
  versions: async (sessionId) => (await wire.request("version/list", { sessionId })).versions,
  version: (sessionId, version) => wire.request("version/get", { sessionId, version }),
  diff: async (sessionId, from, to) => (await wire.request("version/diff", { sessionId, from, to })).diff,
  revert: (sessionId, version) => wire.request("version/revert", { sessionId, version, context: { sessionId } }),
});
