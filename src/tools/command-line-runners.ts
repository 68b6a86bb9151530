import { each, type Program, why } from "./command-line-program.ts";

const plain: Program = {};

const shells = each("sh bash zsh dash ksh mksh ash rbash fish csh tcsh su runuser script pwsh powershell cmd", {
  always: why.code,
  runs: {
    how: "script",
    options: ["-c", "-lc", "-ic", "-lic", "-ec", "-xc", "-euc", "-exc", "-cx", "-ce", "-cl", "--command", "-Command"],
    withValue: ["-o", "-O", "+o", "+O", "--rcfile", "--init-file"],
  },
});

const ofSudo = [
  "-u",
  "-g",
  "-h",
  "-p",
  "-C",
  "-r",
  "-t",
  "-T",
  "-U",
  "-D",
  "-R",
  "--user",
  "--group",
  "--host",
  "--chdir",
];
const ofEnv = ["-u", "--unset", "-C", "--chdir"];
const ofXargs = [
  "-I",
  "-i",
  "-n",
  "-L",
  "-P",
  "-d",
  "-E",
  "-s",
  "-a",
  "--max-args",
  "--max-procs",
  "--delimiter",
  "--arg-file",
];

const others: [string, Program][] = [
  ...each("sudo doas", { always: why.command, runs: { how: "operands", withValue: ofSudo } }),
  ...each("env", { always: why.command, runs: { how: "operands", withValue: ofEnv } }),
  ...each("xargs", { always: why.command, runs: { how: "operands", withValue: ofXargs } }),
  ...each(
    `nohup setsid time unbuffer fakeroot dbus-run-session xvfb-run rlwrap pkexec setarch linux32 linux64 i386 x86_64
    proxychains torsocks tini dumb-init catchsegv busybox toybox valgrind perf hyperfine caffeinate npx bunx pipx uvx`,
    { always: why.command, runs: { how: "operands", withValue: ["-p", "--package", "-o", "--output"] } },
  ),
  ...each("nice", { always: why.command, runs: { how: "operands", withValue: ["-n", "--adjustment"] } }),
  ...each("ionice", { always: why.command, runs: { how: "operands", withValue: ["-c", "-n", "-p"] } }),
  ...each("stdbuf", { always: why.command, runs: { how: "operands", withValue: ["-i", "-o", "-e"] } }),
  ...each("timeout", {
    always: why.command,
    runs: { how: "operands", withValue: ["-s", "-k", "--signal", "--kill-after"], skip: 1 },
  }),
  ...each("chroot taskset chrt gosu numactl prlimit", { always: why.command, runs: { how: "operands", skip: 1 } }),
  ...each("flock", { always: why.command, runs: { how: "operands", withValue: ["-w", "-E", "--timeout"], skip: 1 } }),
  ...each("strace ltrace unshare nsenter bwrap firejail systemd-run entr", {
    always: why.command,
    runs: { how: "operands", withValue: ["-o", "-e", "-s", "-p", "-E", "-P", "-t"] },
  }),
  ...each("watch", { always: why.command, runs: { how: "line", withValue: ["-n", "--interval", "-q"] } }),
  ...each("parallel", { always: why.command, runs: { how: "line", withValue: ["-j", "--jobs", "-a", "-n", "-N"] } }),
  ...each("ssh", {
    always: why.elsewhere,
    runs: { how: "line", withValue: ["-p", "-i", "-l", "-o", "-F", "-J", "-L", "-R", "-D"], skip: 1 },
  }),
  ...each("docker podman nerdctl", {
    subcommands: new Map(each("ps images version info logs inspect top stats port history", plain)),
    knownLeadingOptions: [],
    leadingWithValue: ["-H", "--host", "-c", "--context", "--config", "-l", "--log-level"],
    runs: {
      how: "operands",
      withValue: ["-v", "-e", "-w", "-u", "-p", "--name", "--entrypoint", "--network"],
      skip: 2,
    },
  }),
  ...each("kubectl oc", {
    opaqueOptions: ["--kubeconfig"],
    check: (words) => (words.includes("exec") ? why.elsewhere : undefined),
  }),
  ...each("crontab at batch", { always: why.later }),
];

const finders: [string, Program][] = [
  ...each("find gfind bfs", {
    opaqueOptions: [
      "-exec",
      "-execdir",
      "-ok",
      "-okdir",
      "-delete",
      "-fprint",
      "-fprint0",
      "-fprintf",
      "-fls",
      "-files0-from",
      "-L",
      "-follow",
    ],
    runs: { how: "after", options: ["-exec", "-execdir", "-ok", "-okdir"], until: [";", "+"] },
  }),
  ...each("fd fdfind", {
    opaqueOptions: ["-x", "-X", "--exec", "--exec-batch", "-L", "--follow"],
    runs: { how: "after", options: ["-x", "-X", "--exec", "--exec-batch"], until: [";"] },
  }),
  ...each("rg", { opaqueOptions: ["--pre", "--hostname-bin", "-z", "--search-zip", "-L", "--follow"] }),
  ...each("ag ack", { opaqueOptions: ["--pager", "--ackrc", "-f", "--follow"] }),
  // Links in the folders that they go through may lead anywhere.
  ...each("grep egrep fgrep", { opaqueOptions: ["-R", "--dereference-recursive"] }),
  ...each("ls du", { opaqueOptions: ["-L", "--dereference", "--files0-from"] }),
  ...each("wc", { opaqueOptions: ["--files0-from"] }),
  ...each("diff", { opaqueOptions: ["-r", "--recursive"] }),
];

/** Programs that run other commands, always or with an option. */
export const runners: [string, Program][] = [...shells, ...others, ...finders];
