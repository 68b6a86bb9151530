// An accent of any colour, made so that what is written in it or on it can be read (WCAG AA).

type Rgb = [red: number, green: number, blue: number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
/** Of each theme, what lies below soft colours, and the least favourable of what lies below text. */
const grounds = {
  light: { soft: white, worst: [243, 244, 246] as Rgb, away: black, share: 0.09 },
  dark: { soft: [21, 23, 27] as Rgb, worst: [31, 34, 40] as Rgb, away: white, share: 0.2 },
};
const readableFrom = 4.5;
const visibleFrom = 3;

/** The custom properties that colour an interface, or none if it is no colour. */
export function accentProperties(color: string): Record<string, string> {
  const accent = rgbOf(color);
  if (!accent) return {};
  const [light, dark] = [tonesOf(accent, "light"), tonesOf(accent, "dark")];
  const names = Object.keys(light) as (keyof typeof light)[];
  return Object.fromEntries(
    names.map((name) => [name, `light-dark(${hexOf(light[name])}, ${hexOf(dark[name])})`]),
  );
}

function tonesOf(accent: Rgb, theme: keyof typeof grounds) {
  const { soft: below, worst, away, share } = grounds[theme];
  const soft = rounded(mixed(below, accent, share));
  const solid = until(accent, away, (tone) => contrast(tone, worst) >= visibleFrom);
  const text = contrast(white, solid) >= readableFrom ? white : black;
  const against = text === white ? black : white;
  return {
    "--accent": until(accent, away, (tone) =>
      [soft, worst].every((ground) => contrast(tone, ground) >= readableFrom),
    ),
    "--accent-solid": solid,
    "--accent-solid-hover": mixed(solid, against, 0.14),
    "--accent-text": text,
    "--accent-soft": soft,
    "--accent-line": solid,
  };
}

/** The colour itself, or the first on the way to another one that will do. */
function until(color: Rgb, toward: Rgb, isEnough: (color: Rgb) => boolean): Rgb {
  const shares = Array.from({ length: 51 }, (_, step) => step / 50);
  const tones = shares.map((share) => rounded(mixed(color, toward, share)));
  return tones.find(isEnough) ?? toward;
}

function mixed(one: Rgb, other: Rgb, share: number): Rgb {
  return one.map((part, at) => part + ((other[at] ?? 0) - part) * share) as Rgb;
}

function rounded(color: Rgb): Rgb {
  return color.map(Math.round) as Rgb;
}

export function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function rgbOf(color: string): Rgb | undefined {
  if (!/^#[\da-f]{6}$/i.test(color)) return undefined;
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as Rgb;
}

function hexOf(color: Rgb): string {
  return `#${rounded(color)
    .map((part) => part.toString(16).padStart(2, "0"))
    .join("")}`;
}
