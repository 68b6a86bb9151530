import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe } from "vitest";

const WHOLE = ["chromium", "chromium-browser", "google-chrome"]; // those that .ci/run knows
/** The same engine without windows, for half the time. */
const SHELL = ["chromium-headless-shell", "chrome-headless-shell"];
const { CHROMIUM_PATH = "", PATH = "" } = process.env;
const folders = PATH.split(delimiter).filter((folder) => folder !== "");
const placesOf = (names: string[]) => names.flatMap((name) => folders.map((folder) => join(folder, name)));
const given = [CHROMIUM_PATH].find(isProgram);
const shell = placesOf(SHELL).find(isProgram);
const whole = [...placesOf(WHOLE), "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"].find(isProgram);
const found = given ?? shell ?? whole;
const MISSING = "There is no Chromium: install it (apt-get install chromium), or name it in CHROMIUM_PATH";

/** What is claimed of a real browser. Without one it is left out, and the report says so; where nothing may be left out it fails. */
export function describeInChromium(claims: string, tests: () => void): void {
  if (found !== undefined || process.env.DRAGOMAN_TEST_ALL === "1") {
    describe(claims, tests);
    return;
  }
  process.stderr.write(`NOT TESTED: ${claims}. ${MISSING}\n`);
  describe.skip(`${claims}. ${MISSING}`, tests);
}

/**
 * A browser for a test file; each test has windows of its own, without a past. What is claimed of the walls that a browser puts up is
 * claimed of the one that people use (`whole`).
 */
export function chromiumFixture({ whole: isWhole = false } = {}) {
  const program = isWhole ? (given ?? whole ?? shell) : found;
  let browser: Browser | undefined;
  const open: BrowserContext[] = [];

  beforeAll(async () => {
    if (program === undefined) throw new Error(MISSING);
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : []; // it refuses to be root in one
    browser = await chromium.launch({ executablePath: program, args });
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

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
