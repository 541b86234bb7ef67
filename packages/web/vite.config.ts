/**
 * Builds the browser app into `dist/`: hashed assets that may be cached for ever, and one small page. Nothing is inlined,
 * because the server's content security policy allows no inline script and no data: font.
 */
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = process.env.CAIRN_SERVER ?? "http://127.0.0.1:3030";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "dist",
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // A worker is a script like any other, and is served as one by its ending.
        assetFileNames: ({ names }) =>
          names[0]?.endsWith(".mjs") === true ? "assets/[name]-[hash].js" : "assets/[name]-[hash][extname]",
      },
    },
  },
  server: { proxy: { "/api": server } },
});
