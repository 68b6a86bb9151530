import { DragomanError, messageOf } from "../core/errors.ts";
import { packageFolder } from "./package-file.ts";

const start = `import { createRoot } from "react-dom/client";
import App from "interface";
createRoot(document.getElementById("root")).render(<App />);
`;

/** A generated module with React as one script for a page that has an element with the id "root". */
export async function bundleInterface(code: string): Promise<string> {
  const { build } = await import("esbuild");
  const resolveDir = packageFolder();
  const { outputFiles } = await build({
    stdin: { contents: start, loader: "jsx", resolveDir },
    bundle: true,
    write: false,
    format: "iife",
    jsx: "automatic",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
    plugins: [
      {
        name: "interface",
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /^interface$/ }, () => ({ path: "interface", namespace: "generated" }));
          onLoad({ filter: /.*/, namespace: "generated" }, () => ({ contents: code, loader: "tsx", resolveDir }));
        },
      },
    ],
  }).catch((error: unknown) => {
    throw new DragomanError("generation_failed", `The interface does not build: ${messageOf(error)}`);
  });
  return outputFiles[0]?.text ?? "";
}
