#!/usr/bin/env node
// Cairn needs the Node of its own package.json. An older one that starts this file hands over to the pinned one, so
// nothing here may need a new Node: no TypeScript, no recent syntax.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const OLDEST = 24;
const HANDED_OVER = "CAIRN_PINNED_NODE";
const here = dirname(fileURLToPath(import.meta.url));

if (Number(process.versions.node.split(".")[0]) >= OLDEST) await import("../src/main.ts");
else handOver();

function handOver() {
  const node = process.env[HANDED_OVER] === undefined ? findPinnedNode(here) : null;
  if (node === null) {
    console.error(`cairn: this is Node ${process.versions.node}, and Cairn needs ${OLDEST} or newer. Run npm install.`);
    process.exit(2);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, [HANDED_OVER]: node },
  });
  // A terminal sends Ctrl-C to both processes. Only the process that runs the command handles it.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`cairn: ${node} does not start: ${error.message}`);
    process.exit(2);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code === null ? 1 : code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function findPinnedNode(folder) {
  const node = join(folder, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(node)) return node;
  const parent = dirname(folder);
  return parent === folder ? null : findPinnedNode(parent);
}
