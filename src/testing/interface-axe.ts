import type { Page } from "playwright-core";
import { seriousFindings } from "./interface-page.ts";

/** What axe finds serious or worse in light, and which contrasts it finds too low in dark: nothing else differs. */
export async function findingsInBothThemes(page: Page): Promise<string[]> {
  await seeIn(page, "light");
  const inLight = await seriousFindings(page);
  await seeIn(page, "dark");
  const inDark = await page.evaluate<string[]>(
    `axe.run({ runOnly: ["color-contrast"] }).then(({ violations }) => violations.flatMap(({ nodes }) =>
      nodes.map(({ target, failureSummary }) => "dark: " + target.join(" ") + " " + failureSummary)))`,
  );
  await seeIn(page, "light");
  return [...inLight, ...inDark];
}

/** In those colours when they are there; without motion, which would be back if it were not said each time. */
export async function seeIn(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate(untilDrawn);
}

/** A changed colour takes a frame to begin, and is there when its transition has ended. */
export const untilDrawn = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve)))).then(() =>
    Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished)))`;
