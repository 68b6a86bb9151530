import { expect, test } from "vitest";
import { Metrics } from "./metrics.ts";

test("is written as Prometheus reads it, each name once", () => {
  const metrics = new Metrics();
  metrics.counter("requests_total", "Requests.", { route: "/a" }).add();
  metrics.gauge("open", "How many\nare open, a \\ included.", () => 1.5);
  metrics.counter("requests_total", "Requests.", { route: '/"b"\n\\', method: "GET" }).add(3);
  metrics.counter("requests_total", "Requests.", { route: "/a" }).add();
  expect(metrics.text()).toBe(
    [
      "# HELP requests_total Requests.",
      "# TYPE requests_total counter",
      'requests_total{route="/a"} 2',
      'requests_total{route="/\\"b\\"\\n\\\\",method="GET"} 3',
      "# HELP open How many\\nare open, a \\\\ included.",
      "# TYPE open gauge",
      "open 1.5",
      "",
    ].join("\n"),
  );
});

test("a gauge is read whenever someone looks", () => {
  const metrics = new Metrics();
  let open = 0;
  metrics.gauge("open", "Open.", () => open);
  open = 7;
  expect(metrics.text()).toContain("open 7\n");
});
