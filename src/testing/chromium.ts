import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe } from "vitest";

const places = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const found = places.find((path) => path !== undefined && existsSync(path));
const MISSING = "There is no Chromium: install it (apt-get install chromium), or name it in CHROMIUM_PATH";

/** What is claimed of a real browser. Without one it is left out, and the report says so; where nothing may be left out it fails. */
export const describeInChromium = (claims: string, tests: () => void) =>
  found === undefined && process.env.DRAGOMAN_TEST_ALL !== "1"
    ? describe.skip(`${claims}. ${MISSING}`, tests)
    : describe(claims, tests);

/** A browser for a test file; each test has windows of its own, without a past. */
export function chromiumFixture() {
  let browser: Browser | undefined;
  const open: BrowserContext[] = [];

  beforeAll(async () => {
    if (found === undefined) throw new Error(MISSING);
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : []; // it refuses to be root in one
    browser = await chromium.launch({ executablePath: found, args });
  });
  afterEach(async () => {
    for (const context of open.splice(0)) await context.close();
  });
  afterAll(async () => browser?.close());

  return {
    newPage: async (options: BrowserContextOptions = {}) => {
      if (!browser) throw new Error(MISSING);
      const context = await browser.newContext(options);
      context.setDefaultTimeout(20_000);
      open.push(context);
      return context.newPage();
    },
  };
}
