import { expect, test } from "vitest";
import { allowedEnvironment } from "./allowed-environment.ts";
import { hostEnvironment } from "./node-links.ts";

const home = { PATH: "/bin", HOME: "/home/ada", LC_ALL: "C", XDG_DATA_HOME: "/data", DRAGOMAN_HOME: "/drg" };
const windows = { Path: "C:\\bin", SystemRoot: "C:\\Windows", AppData: "C:\\a", "ProgramFiles(x86)": "C:\\p" };
const secrets = {
  ANTHROPIC_API_KEY: "a",
  GITHUB_TOKEN: "g",
  HTTPS_PROXY: "http://me:pass@proxy",
  SSH_AUTH_SOCK: "/s",
  NODE_OPTIONS: "--require ./x",
  AWS_SECRET_ACCESS_KEY: "w",
  XPATH: "x",
  PATH_OF_SECRETS: "y",
};

test("what a program needs is there, and nothing else", () => {
  expect(allowedEnvironment({ ...secrets, ...home, ...windows })).toEqual({ ...home, ...windows });
});

test("what is named is there, too, by its name or its beginning; what is set counts", () => {
  const options = { allow: ["GITHUB_TOKEN", "aws_*"], set: { PATH: "/only", MODE: "x" } };
  expect(allowedEnvironment({ ...secrets, ...home }, options)).toEqual({
    ...home,
    GITHUB_TOKEN: "g",
    AWS_SECRET_ACCESS_KEY: "w",
    PATH: "/only",
    MODE: "x",
  });
});

test("a variable where an option should be is no option", () => {
  expect(() => allowedEnvironment({}, { PATH: "/bin" } as never)).toThrow('"PATH" belongs into one of them');
});

test("in Electron the package's own runtime is run as Node, and no other program", () => {
  const electron = { env: home, versions: { node: "24.0.0", electron: "45.0.0" } };
  expect(hostEnvironment({}, electron)).toEqual({ ...home, ELECTRON_RUN_AS_NODE: "1" });
  expect(hostEnvironment({ command: "node" }, electron)).toEqual(home);
  expect(hostEnvironment({}, { env: home, versions: { node: "24.0.0" } })).toEqual(home);
});
