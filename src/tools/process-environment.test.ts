import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { cleanEnvironment, isSecretName, pathOutside } from "./process-environment.ts";

const folder = temporaryFolder();

test("a name tells a secret", () => {
  const secret = `GITHUB_TOKEN GH_TOKEN OPENAI_API_KEY AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID DB_PASSWORD MYSQL_PWD_PASSWD
    GOOGLE_APPLICATION_CREDENTIALS npm_config__auth NPM_CONFIG__AUTHTOKEN SESSION_ID COOKIE DRAGOMAN_ADMIN DRAGOMAN_COPILOT_API_KEY
    DRAGOMAN_MODEL_API_KEY SSH_KEY API_KEYS apiKey DATABASE_URL SENTRY_DSN AZURE_STORAGE_CONNECTION_STRING BASIC_AUTH GITLAB_PAT MYSQL_PWD
    SLACK_WEBHOOK_URL`;
  const harmless = `PATH HOME PWD OLDPWD USER LANG GIT_AUTHOR_NAME SSH_AUTH_SOCK XDG_SESSION_ID KEYBOARD DBUS_SESSION_BUS_ADDRESS
    NODE_OPTIONS MONKEY CI EDITOR PATHEXT COMPASS DRAGOMAN_HOME DRAGOMAN_ENGINE DRAGOMAN_MODEL DRAGOMAN_MODEL_BASE_URL DRAGOMAN_MODEL_NAME DRAGOMAN_ACP_COMMAND
    DRAGOMAN_COPILOT_BASE_URL DRAGOMAN_COPILOT_MODEL DRAGOMAN_COPILOT_WIRE_API DRAGOMAN_COPILOT_TYPE DRAGOMAN_COPILOT_HOME`;
  expect(secret.split(/\s+/).filter((name) => !isSecretName(name))).toEqual([]);
  expect(harmless.split(/\s+/).filter(isSecretName)).toEqual([]);
});

test("a command sees no secret, nothing that bends its shell, and nothing that waits for a person", () => {
  const env = {
    PATH: ".:/bin::bin:/usr/bin",
    HOME: "/home/a",
    GITHUB_TOKEN: "canary",
    DRAGOMAN_HOME: "/home/a/data",
    BASH_ENV: "./evil.sh",
    ENV: "./evil.sh",
    "BASH_FUNC_ls%%": "() { id; }",
    CDPATH: "/",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.pager",
    GIT_CONFIG_VALUE_0: "id",
    PAGER: "less",
    UNSET: undefined,
  };
  expect(cleanEnvironment(env)).toEqual({
    PATH: "/bin:/usr/bin",
    HOME: "/home/a",
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
  });
});

test("programs are not looked for in what may have come with the folder", () => {
  const root = realpathSync(folder.path);
  const made = (...names: string[]) => {
    const path = join(root, ...names);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const workspace = made("above", "clone", "packages", "one");
  made("above", "clone", ".git");
  const brought = [
    made("above", "clone", "packages", "one", "node_modules", ".bin"),
    made("above", "clone", "tools"),
    made("above", "node_modules", ".bin"), // which npx looks in, too
  ];
  const link = join(root, "link");
  symlinkSync(brought[1] ?? "", link);
  const own = [made("above", "bin"), made("elsewhere", "node_modules", ".bin"), join(homedir(), "bin")];
  const all = [...brought, link, "relative", ...own];
  expect(pathOutside(workspace, all.join(delimiter)).split(delimiter)).toEqual(own);
});
