// A generated module as a page of its own: React and the module in one script, which may talk to nobody.
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const resolveDir = fileURLToPath(new URL(".", import.meta.url));
const start = `import { createRoot } from "react-dom/client";
import App from "interface";
createRoot(document.getElementById("root")).render(<App />);`;

/** @param {string} code */
export async function interfacePage(code) {
  const nonce = randomBytes(16).toString("base64");
  const script = await bundled(code);
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Interface</title><div id="root"></div>
<script nonce="${nonce}">${script.replaceAll("</script", "<\\/script")}</script></html>`;
  return { html, policy };
}

/** @param {string} code */
async function bundled(code) {
  const { outputFiles } = await build({
    stdin: { contents: start, loader: "jsx", resolveDir },
    bundle: true,
    write: false,
    minify: true,
    jsx: "automatic",
    logLevel: "silent",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [
      {
        name: "interface",
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /^interface$/ }, () => ({ path: "interface", namespace: "generated" }));
          onLoad({ filter: /.*/, namespace: "generated" }, () => ({ contents: code, loader: "tsx", resolveDir }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? "";
}
