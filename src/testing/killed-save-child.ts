import children from "node:child_process";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

// Another process that saves, for tests, and is killed before the n-th step by which it changes anything on disk: a file made, renamed
// or taken away, or a branch moved. It ends by itself only if it has fewer steps than that.

const [workspace = "", feature = "", killAt = "0"] = process.argv.slice(2);
let steps = 0;

function step(): void {
  if (++steps === Number(killAt)) process.kill(process.pid, "SIGKILL");
}

type Call = (...args: never[]) => unknown;
function counted<T extends object>(module: T, name: keyof T, isStep: (args: unknown[]) => boolean): void {
  const real = module[name] as Call;
  const call = (...args: never[]) => {
    if (isStep(args)) step();
    return real(...args);
  };
  Object.assign(module, { [name]: call });
}

for (const name of ["link", "rename", "unlink", "mkdir", "rmdir", "rm", "copyFile", "mkdtemp"] as const) {
  counted(files, name, () => true);
}
counted(files, "open", ([, flags]) => flags !== undefined && flags !== "r");
counted(children, "spawn", ([, args]) => Array.isArray(args) && args.includes("update-ref"));
syncBuiltinESMExports();

const { featureStore } = await import("../operations/features/index.ts");
const changes = [
  { name: "spec" as const, content: "# Two\n" },
  { name: "plan" as const, content: "# Plan\n" },
];
await featureStore(workspace, {}).save(feature, changes, { message: "Killed" });
