import type { Page } from "playwright-core";
import { seriousFindings } from "./interface-page.ts";

/**
 * What axe finds serious or worse in light, and which contrasts it finds too low in dark: nothing else differs. The page should be
 * opened with reduced motion, or colours would be measured while they change.
 */
export async function findingsInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const inLight = await seriousFindings(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.evaluate(untilDrawn);
  const inDark = await page.evaluate<string[]>(
    `axe.run({ runOnly: ["color-contrast"] }).then(({ violations }) => violations.flatMap(({ nodes }) =>
      nodes.map(({ target, failureSummary }) => "dark: " + target.join(" ") + " " + failureSummary)))`,
  );
  await page.emulateMedia({ colorScheme: "light" });
  return [...inLight, ...inDark];
}

/** A changed colour takes a frame to begin, and is there when its transition has ended. */
export const untilDrawn = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve)))).then(() =>
    Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished)))`;
