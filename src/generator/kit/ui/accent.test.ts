import { expect, test } from "vitest";
import { accentProperties, contrast, rgbOf } from "./accent.ts";

/** Every 51st of each part of a colour: 216 of them, with all extremes. */
const steps = ["00", "33", "66", "99", "cc", "ff"];
const colors = steps.flatMap((red) =>
  steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)),
);

const grounds = {
  light: ["#fafafb", "#ffffff", "#f4f4f6", "#f3f4f6"],
  dark: ["#0d0e11", "#15171b", "#1c1f25", "#1f2228"],
};

function contrastOf(one: string, other: string): number {
  const [first, second] = [rgbOf(one), rgbOf(other)];
  return first && second ? contrast(first, second) : 0;
}

test.each(["light", "dark"] as const)("every accent can be read in %s", (theme) => {
  const at = theme === "light" ? 0 : 1;
  const found = colors.filter((color) => {
    const properties = Object.entries(accentProperties(color));
    const tones = Object.fromEntries(
      properties.map(([name, pair]) => [name, pair.match(/#\w{6}/g)?.[at] ?? ""]),
    );
    const tone = (name: string) => tones[`--accent${name}`] ?? "";
    const text = [...grounds[theme], tone("-soft")].map((ground) => contrastOf(tone(""), ground));
    const solid = grounds[theme].map((ground) => contrastOf(tone("-solid"), ground));
    const onSolid = ["-solid", "-solid-hover"].map((name) => contrastOf(tone("-text"), tone(name)));
    return Math.min(...text, ...onSolid) < 4.5 || Math.min(...solid) < 3;
  });
  expect(found).toEqual([]);
});

test("a colour that can be read is taken as it is", () => {
  expect(accentProperties("#0a6b45")).toMatchObject({
    "--accent": expect.stringContaining("light-dark(#0a6b45, "),
    "--accent-solid": expect.stringContaining("light-dark(#0a6b45, "),
    "--accent-text": "light-dark(#ffffff, #ffffff)",
  });
});

test("what is no colour changes nothing", () => {
  expect(accentProperties("red; } * {")).toEqual({});
});
