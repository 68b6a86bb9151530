import { beforeAll, describe, expect, test } from "vitest";
import { randomId } from "../core/ids.ts";
import type { Store } from "../core/store.ts";
import { claim, claimed, stale, text } from "../testing/store-fixtures.ts";

export function artifactContract(opened: () => Store): void {
  describe("artifacts", () => {
    let store: Store;

    beforeAll(() => {
      store = opened();
    });

    test("come back as they were, and only in their session", async () => {
      const [fence, other] = [await claimed(store), await claimed(store)];
      const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 256);
      const artifacts = [
        { artifactId: "a", bytes: bytes.subarray(100, 900) },
        { artifactId: "empty", bytes: new Uint8Array() },
        { artifactId: "buffer", bytes: Buffer.from("text") },
      ];
      await store.append(fence.sessionId, [text("with artifacts")], fence, artifacts);
      expect(await store.artifact(fence.sessionId, "a")).toEqual(bytes.slice(100, 900));
      expect(await store.artifact(fence.sessionId, "empty")).toEqual(new Uint8Array());
      expect(await store.artifact(fence.sessionId, "buffer")).toEqual(new Uint8Array(Buffer.from("text")));
      expect(await store.artifact(fence.sessionId, "b")).toBeUndefined();
      expect(await store.artifact(other.sessionId, "a")).toBeUndefined();
      expect(await store.artifact(randomId(), "a")).toBeUndefined();
    });

    test("are not changed by who gave or got them", async () => {
      const fence = await claimed(store);
      const bytes = Uint8Array.of(1, 2, 3);
      const appended = store.append(fence.sessionId, [text("a")], fence, [{ artifactId: "a", bytes }]);
      bytes[0] = 9;
      await appended;
      (await store.artifact(fence.sessionId, "a"))?.fill(9);
      expect(await store.artifact(fence.sessionId, "a")).toEqual(Uint8Array.of(1, 2, 3));
    });

    test("are refused with the events they belong to", async () => {
      const old = await claimed(store);
      await claim(store, old.sessionId, "other");
      const artifact = { artifactId: "a", bytes: Uint8Array.of(1) };
      await expect(store.append(old.sessionId, [text("a")], old, [artifact])).rejects.toEqual(stale);
      expect(await store.artifact(old.sessionId, "a")).toBeUndefined();
    });
  });
}
