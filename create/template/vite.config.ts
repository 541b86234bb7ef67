import { defineConfig } from "vite";

/** `npx vite`, beside `npm start`, reloads the page when you change it. */
export default defineConfig({ build: { target: "es2022" }, server: { proxy: { "/api": "http://127.0.0.1:3000" } } });
