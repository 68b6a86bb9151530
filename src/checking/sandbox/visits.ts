import { currentScreen, enter, fail, failures } from "./failures.ts";
import { timers } from "./globals.ts";
import { location, root } from "./page.ts";

const MOST_RESOURCES = 6;
/** Whatever a screen does later than this belongs to somebody who stays on it. */
const SETTLED_MS = 2000;

let until = SETTLED_MS;
let hasEnough = false;
let plan: Generator<string> | undefined;

/** Does the next bit of work, and says whether there is more. With enough, no other resource is visited, but one is. */
export function step(isEnough: boolean): boolean {
  if (timers.runNext(until)) return true;
  inspect();
  hasEnough = isEnough;
  plan ??= screens();
  const { value, done } = plan.next();
  if (done) return false;
  until = timers.now + SETTLED_MS;
  enter(value);
  location.hash = value;
  return true;
}

/** The resources that the home page leads to; of each its list, a record, and forms, by the links that are there. */
function* screens(): Generator<string> {
  const lists = links().filter((link) => pathOf(link).length === 1 && !link.startsWith("#/~"));
  for (const list of lists.slice(0, MOST_RESOURCES)) {
    yield list;
    const [resource] = pathOf(list);
    const inside = links().filter((link) => pathOf(link)[0] === resource);
    const create = inside.find((link) => pathOf(link)[1] === "new");
    const record = inside.find((link) => pathOf(link).length === 2 && link !== create);
    if (record) yield record;
    const edit = links().find((link) => pathOf(link)[0] === resource && pathOf(link)[2] === "edit");
    if (create) yield create;
    if (edit) yield edit;
    if (hasEnough) return;
  }
}

/** Where the present screen leads to within the interface, each once. */
function links(): string[] {
  const all = Array.from(root.getElementsByTagName("a"), (link) => link.getAttribute("href") ?? "");
  return [...new Set(all.filter((href) => href.startsWith("#/") && href !== "#/"))];
}

const pathOf = (hash: string) => hash.slice(2).split("?")[0]?.split("/") ?? [];

/** Failures that the interface shows instead of a screen, and screens without anything. */
function inspect(): void {
  const isKnown = failures.some(({ screen }) => screen === currentScreen());
  if (isKnown) return;
  if (root.childNodes.length === 0) fail("nothing", "");
  for (const details of root.querySelectorAll("[role=alert] .failure-details")) {
    const said = [".empty-title", ".empty-text"].map((part) => details.parentElement?.querySelector(part)?.textContent);
    fail("shown", said.filter(Boolean).join(": "));
  }
}
