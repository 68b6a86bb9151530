import { hashOfText } from "./mock-random.ts";

/** A picture that needs no network: initials for people, hills for everything else. */
export function mockImage(seed: string, initials?: string): string {
  const hue = hashOfText(seed) % 360;
  const content = initials ? initialsIn(initials) : hills(hue, hashOfText(`${seed}/hills`) % 40);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 160">` +
    `<rect width="160" height="160" fill="hsl(${hue} 55% ${initials ? 42 : 82}%)"/>${content}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

function initialsIn(initials: string): string {
  const font = `font-family="system-ui,sans-serif" font-size="64" font-weight="600" fill="#fff"`;
  return `<text x="80" y="103" text-anchor="middle" ${font}>${initials.replace(/[<&]/g, "")}</text>`;
}

function hills(hue: number, shift: number): string {
  const hill = (height: number, lightness: number) =>
    `<path d="M0 ${height} Q${40 + shift} ${height - 46} 92 ${height - 8} T160 ${height - 26} ` +
    `V160 H0Z" fill="hsl(${hue} 45% ${lightness}%)"/>`;
  const sun = `<circle cx="${112 - shift}" cy="46" r="18" fill="hsl(${(hue + 50) % 360} 85% 72%)"/>`;
  return sun + hill(112, 62) + hill(138, 46);
}
