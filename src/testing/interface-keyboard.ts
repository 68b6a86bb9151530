import type { Locator, Page } from "playwright-core";

// A person without a mouse.

const mostStops = 120;

/** Goes on by Tab, or back, until the element has the focus; refuses a stop that cannot be seen to have it. */
export async function tabTo(page: Page, target: Locator, back = false): Promise<void> {
  for (let stop = 0; stop < mostStops; stop += 1) {
    await page.keyboard.press(back ? "Shift+Tab" : "Tab");
    const unseen = await page.evaluate<string | null>(unseenFocus);
    if (unseen) throw new Error(`nothing shows that this has the focus: ${unseen}`);
    if (await hasFocus(page, target)) return;
  }
  throw new Error(`no Tab leads to ${target}`);
}

export async function hasFocus(page: Page, target: Locator): Promise<boolean> {
  return (await target.and(page.locator(":focus")).count()) > 0;
}

/** What has the focus: its tag, and its label or text. */
export async function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const element = document.activeElement;
    if (element === document.body) return "nothing";
    return element.tagName.toLowerCase() + " " + (element.getAttribute("aria-label") ?? element.textContent).trim();
  })()`);
}

/**
 * The markup of what has the focus, if neither it nor what is close around it is outlined. The parts of a date or time mark
 * themselves, inside the browser's own input.
 */
const unseenFocus = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body || /date|time/.test(element.type)) return null;
  const around = [element, element.parentElement, element.nextElementSibling].filter(Boolean);
  const isMarked = around.some((one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) || boxShadow !== "none";
  });
  return isMarked ? null : element.outerHTML.slice(0, 200);
})()`;
