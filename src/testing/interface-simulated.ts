import type { Page } from "playwright-core";
import { generate } from "../generator/generate.ts";
import type { NormalizedSpec } from "../generator/normalized-spec.ts";
import { readDescription } from "../generator/reading/read-description.ts";

/** What an operation does instead of working. */
export type Simulated = "unauthorized" | "forbidden" | "error" | "empty" | "slow";

/** By the id of the operation. */
export type Simulation = Record<string, Simulated>;

export const specOf = (text: string): NormalizedSpec => readDescription([{ name: "description.json", text }]).spec;

const simulatingApp = `
const simulation = Object.fromEntries(new URLSearchParams(location.search));
Object.assign(window, { simulation });
const simulatingBackend = mockBackend(interfaceDescriptor, { simulate: ({ id }) => simulation[id] });
export default function Simulating() {
  return <App backend={simulatingBackend} />;
}
`;

/** An interface on sample data, of which some operations do what its address says: `?listPets=error`. */
export function simulatingInterface(spec: NormalizedSpec): string {
  const { code } = generate(spec, { theme: "system" });
  return `${code.replace("export default function App", "function App")}${simulatingApp}`;
}

let visits = 0;

/** Opens a screen anew, with nothing seen before: an address that differs only behind its # would not be loaded. */
export async function openSimulated(page: Page, url: string, screen: string, simulation: Simulation): Promise<void> {
  visits += 1;
  await page.goto(`${url}?${new URLSearchParams({ ...simulation, visit: String(visits) })}${screen}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** From now on the operation works. */
export async function repair(page: Page, operation: string): Promise<void> {
  await page.evaluate(`delete window.simulation[${JSON.stringify(operation)}]`);
}

/** From now on the operation does this. */
export async function spoil(page: Page, operation: string, outcome: Simulated): Promise<void> {
  await page.evaluate(`window.simulation[${JSON.stringify(operation)}] = ${JSON.stringify(outcome)}`);
}
