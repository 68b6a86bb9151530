import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { DragomanError } from "../core/errors.ts";
import type { Caller } from "../core/roles.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { ServedFolder } from "./served-folder.ts";

const folder = temporaryFolder();
const at = (...names: string[]) => join(realpathSync(folder.path), ...names);
const ada: Caller = { id: "1", name: "ada", roles: ["prompt"] };
const admin: Caller = { id: "2", name: "root", roles: ["admin"] };

beforeAll(() => {
  for (const name of ["served/sub", "served-too", "elsewhere"]) mkdirSync(at(name), { recursive: true });
  symlinkSync(at("elsewhere"), at("served", "out"));
  symlinkSync(at("served"), at("link"));
});

describe("the served folder", () => {
  test("admits sessions that work in it, by whatever name it is reached", async () => {
    const verdicts = async (served: ServedFolder, caller: Caller | undefined) =>
      Promise.all(
        ["served", "served/sub", "link/sub", "served-too", "elsewhere", "gone", "served/out"].map((name) =>
          served.admits(at(name), caller),
        ),
      );
    const own = [true, true, true, false, false, false, false];
    expect(await verdicts(new ServedFolder(at("served")), ada)).toEqual(own);
    expect(await verdicts(new ServedFolder(at("link")), ada)).toEqual(own);
    expect(await verdicts(new ServedFolder(at("served")), admin)).toEqual(own.map(() => true));
    expect(await verdicts(new ServedFolder(at("served")), undefined)).toEqual(own.map(() => true));
  });

  test("shows of many sessions those that are in it, at most as many as are wanted", async () => {
    const sessions = ["served", "elsewhere", "link/sub", "served", "served-too", "served/sub"].map((name, at_) => ({
      id: at_,
      workspace: at(name),
    }));
    const seen = async (limit: number, caller: Caller) =>
      (await new ServedFolder(at("served")).seen(sessions, limit, caller)).map(({ id }) => id);
    expect(await seen(10, ada)).toEqual([0, 2, 3, 5]);
    expect(await seen(3, ada)).toEqual([0, 2, 3]);
    expect(await seen(10, admin)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("lets a caller work in it and below it, and not beyond it by a link", async () => {
    const served = new ServedFolder(at("served"));
    expect(await served.folder("sub", ada)).toBe(at("served/sub"));
    expect(await served.folder(at("link/sub"), admin)).toBe(at("served/sub"));
    for (const name of ["..", "../elsewhere", "../served-too", "out", "../gone", "/"]) {
      await expect(served.folder(name, ada), name).rejects.toMatchObject({ code: "forbidden" });
    }
    expect(await served.folder("out", admin)).toBe(at("elsewhere"));
    await expect(served.folder("gone", ada)).rejects.toMatchObject({ code: "invalid_params" });
  });

  test("refuses a session of another folder to who is no admin, and does not tell where that is", async () => {
    const served = new ServedFolder(at("served"));
    await served.check(at("served/sub"), ada);
    await served.check(at("elsewhere"), admin);
    const refused = (await served.check(at("elsewhere"), ada).catch((error: unknown) => error)) as DragomanError;
    expect({ code: refused.code, message: refused.message, data: refused.data }).toEqual({
      code: "forbidden",
      message:
        'The token "ada" may not use a session of a folder that is not served here: that takes the role admin. Use another token, or make one.',
      data: { needs: "admin" },
    });
  });
});
