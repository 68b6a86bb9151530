import type { ApiDescriptor } from "../kit/descriptor.ts";
import { textWidth, WIDTH } from "./text-width.ts";

// What a Vite project has around its source.

const versions = {
  react: "19.3.1",
  "react-dom": "19.3.1",
};

const developmentVersions = {
  "@types/react": "19.3.0",
  "@types/react-dom": "19.3.0",
  "@vitejs/plugin-react": "6.3.0",
  prettier: "3.9.10",
  typescript: "7.0.2",
  vite: "8.3.5",
  vitest: "4.1.12",
};

export function projectFrame(api: ApiDescriptor): Record<string, string> {
  return {
    "package.json": `${JSON.stringify(packageFile(api), null, 2)}\n`,
    "tsconfig.json": compilerFile,
    "vite.config.ts": viteFile,
    "index.html": pageFile(api),
    ".gitignore": "node_modules/\ndist/\n",
    ".prettierrc.json": '{ "printWidth": 100 }\n',
    "src/main.tsx": mainFile,
  };
}

const packageFile = (api: ApiDescriptor) => ({
  name: packageName(api.title),
  private: true,
  version: "0.1.0",
  type: "module",
  scripts: {
    dev: "vite",
    build: "tsc && vite build",
    preview: "vite preview",
    test: "vitest run --no-isolate",
    format: "prettier --write src",
  },
  dependencies: versions,
  devDependencies: developmentVersions,
  engines: { node: ">=20.19" },
});

function packageName(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replace(/^-+|-+$/g, "");
  return `${name || "api"}-interface`;
}

const lines = (...all: string[]) => `${all.join("\n")}\n`;

const compilerFile = `{
  "compilerOptions": {
    "target": "ES2022",
    "lib": ["ES2023", "DOM", "DOM.Iterable"],
    "module": "ESNext",
    "moduleResolution": "Bundler",
    "jsx": "react-jsx",
    "types": ["vite/client"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "noUnusedLocals": true,
    "noUnusedParameters": true,
    "noFallthroughCasesInSwitch": true,
    "verbatimModuleSyntax": true,
    "allowImportingTsExtensions": true,
    "skipLibCheck": true,
    "noEmit": true
  },
  "include": ["src"]
}
`;

const viteFile = lines(
  'import react from "@vitejs/plugin-react";',
  'import { defineConfig } from "vite";',
  "",
  "export default defineConfig({ plugins: [react()] });",
);

const mainFile = lines(
  'import { StrictMode } from "react";',
  'import { createRoot } from "react-dom/client";',
  'import { customizations } from "./customizations.ts";',
  'import { Interface } from "./interface.tsx";',
  'import { interfaceDescriptor } from "./resources/index.ts";',
  'import "./styles.css";',
  "",
  'const root = document.getElementById("root");',
  "if (root) {",
  "  createRoot(root).render(",
  "    <StrictMode>",
  "      <Interface descriptor={interfaceDescriptor} customizations={customizations} />",
  "    </StrictMode>,",
  "  );",
  "}",
);

const pageFile = (api: ApiDescriptor) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
${titleElement(api.title)}
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/src/main.tsx"></script>
  </body>
</html>
`;

/** A tab shows no more of it than fits on a line. */
function titleElement(title: string): string {
  const line = (text: string) => `    <title>${asHtml(text)}</title>`;
  if (textWidth(line(title)) <= WIDTH) return line(title);
  const characters = [...title.replace(/\s+/g, " ").trim()].slice(0, WIDTH);
  const shortened = () => line(`${characters.join("").trim()}…`);
  while (textWidth(shortened()) > WIDTH) characters.pop();
  return shortened();
}

/** Text between tags. */
export const asHtml = (text: string) =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
