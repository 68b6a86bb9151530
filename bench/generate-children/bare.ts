// What nobody can do without: the description parsed, and upgraded to the newest version. Given on stdin.
import { text } from "node:stream/consumers";
import { upgrade } from "@scalar/openapi-upgrader";
import { load } from "js-yaml";

const description = await text(process.stdin);
const from = performance.now();
const parsed = description.trimStart().startsWith("{") ? JSON.parse(description) : load(description);
const upgraded = upgrade(parsed as Record<string, unknown>, "3.1");
const whole = performance.now() - from;
process.stdout.write(
  JSON.stringify({ ms: { whole }, peakMb: process.resourceUsage().maxRSS / 1024, kept: Object.keys(upgraded).length }),
);
