export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

const code = (open: number, close: number) => (text: string) =>
  text === "" ? "" : `\u001b[${open}m${text}\u001b[${close}m`;
export const colours: Paint = {
  bold: code(1, 22),
  dim: code(2, 22),
  green: code(32, 39),
  red: code(31, 39),
  yellow: code(33, 39),
  cyan: code(36, 39),
};

const same = (text: string) => text;
export const noColours: Paint = { bold: same, dim: same, green: same, red: same, yellow: same, cyan: same };
