/**
 * Builds the browser app into `dist/`. Assets have hashes in their names and may be cached forever. Nothing is inlined,
 * because the server's content security policy forbids inline scripts and `data:` fonts.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const server = process.env.CAIRN_SERVER ?? "http://127.0.0.1:3030";

/** Files that pdf.js loads for documents that do not contain them: standard fonts and CJK encodings. */
const pdfData: Plugin = {
  name: "pdf-data",
  generateBundle() {
    const root = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
    for (const folder of ["standard_fonts", "cmaps"])
      for (const name of readdirSync(join(root, folder)))
        this.emitFile({
          type: "asset",
          fileName: `pdf/${folder}/${name}`,
          source: readFileSync(join(root, folder, name)),
        });
  },
};

/** The script of the frame that draws diagrams (`/preview/diagram`), with its licence. The app itself does not load it. */
const diagramLibrary: Plugin = {
  name: "diagram-library",
  generateBundle() {
    const root = dirname(dirname(fileURLToPath(import.meta.resolve("@mermaid-js/tiny"))));
    const files = { "mermaid.js": "dist/mermaid.tiny.js", "LICENSE.txt": "LICENSE" };
    for (const [name, place] of Object.entries(files))
      this.emitFile({ type: "asset", fileName: `diagram/${name}`, source: readFileSync(join(root, place)) });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  // The server replaces `./` in the page with the path below which it serves the app.
  base: "./",
  plugins: [react(), tailwindcss(), pdfData, diagramLibrary],
  build: {
    outDir: "dist",
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // A worker must have the extension of a script to be served as one.
        assetFileNames: ({ names }) =>
          names[0]?.endsWith(".mjs") === true ? "assets/[name]-[hash].js" : "assets/[name]-[hash][extname]",
      },
    },
  },
  server: { proxy: { "/api": server } },
});
