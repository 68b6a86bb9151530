/** Plain names of colours, in shades that go with text on them. */
const colors: Record<string, string> = {
  red: "#c62828",
  crimson: "#b0163a",
  pink: "#c2185b",
  magenta: "#a6178f",
  purple: "#7b2cbf",
  violet: "#6a3fd0",
  indigo: "#3f43b5",
  blue: "#1f5fd6",
  navy: "#1d3a8a",
  "light blue": "#0277bd",
  "sky blue": "#0277bd",
  cyan: "#00798c",
  turquoise: "#00796b",
  teal: "#00796b",
  green: "#1b7f3b",
  "dark green": "#14532d",
  emerald: "#047857",
  olive: "#5c6b12",
  lime: "#4d7c0f",
  yellow: "#8a6d00",
  gold: "#8a6d00",
  amber: "#9a5b00",
  orange: "#c2410c",
  coral: "#c8442f",
  brown: "#6d4c41",
  black: "#1a1a1a",
  grey: "#4b5563",
  gray: "#4b5563",
  slate: "#475569",
};

/** As "#rrggbb". */
export function colorNamed(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  const [, code = ""] = /^#?([\da-f]{3}|[\da-f]{6})$/.exec(name) ?? [];
  if (code !== "" && (name.startsWith("#") || /\d/.test(code)))
    return `#${code.length === 3 ? [...code].map((one) => one + one).join("") : code}`;
  return Object.hasOwn(colors, name) ? colors[name] : undefined;
}
