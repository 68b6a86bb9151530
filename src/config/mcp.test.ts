import { expect, test } from "vitest";
import type { Configuration, ConfiguredServer } from "./configuration.ts";
import { listMcpServers } from "./mcp.ts";
import type { McpServer } from "./schema.ts";

const http = (enabled = true): McpServer => ({
  transport: "http",
  url: "https://user:canary@example.test/?key=canary",
  headers: { authorization: "canary" },
  enabled,
  request_timeout_ms: 30_000,
});
const stdio: McpServer = {
  transport: "stdio",
  command: "canary",
  args: ["canary"],
  env: { TOKEN: "canary" },
  enabled: true,
  request_timeout_ms: 30_000,
};

const configured = (...servers: ConfiguredServer[]): Configuration => ({
  workspace: "/work",
  trust: { trusted: true },
  allow: [],
  deny: [],
  servers,
  serve: { callbackHosts: [] },
  features: {},
  agents: [],
  warnings: [],
});

const notConnected = expect.stringMatching(/^Not connected: /);

test("one that is enabled is said not to be connected, one that is disabled has nothing to say", () => {
  const servers = configured(
    { id: "a", source: "project", value: stdio },
    { id: "b", source: "user", value: http(false) },
  );
  const listed = [
    { id: "a", transport: "stdio", source: "project", enabled: true, state: "error", lastError: notConnected },
    { id: "b", transport: "http", source: "global", enabled: false, state: "disabled" },
  ];
  expect(listMcpServers(servers, "loaded")).toEqual(listed);
  expect(listMcpServers(servers, "configured")).toEqual(listed);
});

test("one that another takes the place of is configured and not loaded", () => {
  const servers = configured(
    { id: "a", source: "project", value: stdio },
    { id: "a", source: "user", value: http(), idle: "The project's is used." },
  );
  const loaded = {
    id: "a",
    transport: "stdio",
    source: "project",
    enabled: true,
    state: "error",
    lastError: notConnected,
  };
  expect(listMcpServers(servers, "loaded")).toEqual([loaded]);
  expect(listMcpServers(servers, "configured")).toEqual([
    loaded,
    {
      id: "a",
      transport: "http",
      source: "global",
      enabled: false,
      state: "disabled",
      lastError: "The project's is used.",
    },
  ]);
});

test("one that waits for trust is listed as disabled with what to do, unless the user has one of that id", () => {
  const idle = "The folder is not trusted.";
  const servers = configured(
    { id: "a", source: "project", value: stdio, idle },
    { id: "b", source: "project", value: stdio, idle },
    { id: "b", source: "user", value: http() },
  );
  expect(listMcpServers(servers, "loaded")).toEqual([
    { id: "a", transport: "stdio", source: "project", enabled: false, state: "disabled", lastError: idle },
    { id: "b", transport: "http", source: "global", enabled: true, state: "error", lastError: notConnected },
  ]);
});

test("how a server is reached is in no list", () => {
  const servers = configured({ id: "a", source: "project", value: stdio }, { id: "b", source: "user", value: http() });
  expect(JSON.stringify(listMcpServers(servers, "configured"))).not.toContain("canary");
});
