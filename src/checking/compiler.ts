import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const { resolve } = createRequire(import.meta.url);
const folderOf = (name: string) => dirname(resolve(`${name}/package.json`));

/**
 * The program that the package "typescript" starts. It is started without that, which would leave it alone when it is ended. Undefined where
 * there is none for this machine.
 */
export function compiler(): string | undefined {
  const { platform, arch } = process;
  try {
    const own = createRequire(resolve("typescript/package.json"));
    const folder = dirname(own.resolve(`@typescript/typescript-${platform}-${arch}/package.json`));
    return join(folder, "lib", platform === "win32" ? "tsc.exe" : "tsc");
  } catch {
    return undefined;
  }
}

/** As generated projects have it, but what is never used does no harm. React is found where this program has it, and nothing else is. */
export function compilerOptions() {
  const [react, reactDom] = [folderOf("@types/react"), folderOf("@types/react-dom")];
  return {
    target: "ES2022",
    lib: ["ES2023", "DOM", "DOM.Iterable"],
    module: "ESNext",
    moduleResolution: "Bundler",
    jsx: "react-jsx",
    strict: true,
    noUncheckedIndexedAccess: true,
    noFallthroughCasesInSwitch: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    paths: {
      react: [react],
      "react/*": [`${react}/*`],
      "react-dom": [reactDom],
      "react-dom/*": [`${reactDom}/*`],
    },
  };
}
