const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const ADDRESS = new RegExp(`^#(${ID})?(?:&tabs=(${ID}(?:,${ID})*))?$`);
export const MOST_TABS = 30;

/** The tabs that the page's address names: nothing else is taken from it, and nothing is kept anywhere else. */
export function tabsInAddress(hash) {
  const [, active, listed] = ADDRESS.exec(hash) ?? [];
  const all = listed?.split(",") ?? [];
  const tabs = active === undefined || all.includes(active) ? all : [...all, active];
  return { active, tabs: [...new Set(tabs)].slice(0, MOST_TABS) };
}

export function addressOf({ active, tabs }) {
  const isEnough = tabs.length === 0 || (tabs.length === 1 && tabs[0] === active);
  return `#${active ?? ""}${isEnough ? "" : `&tabs=${tabs.join(",")}`}`;
}
