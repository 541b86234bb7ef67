#!/usr/bin/env node
// `npm create cairn-agent my-agent`: makes a project with an agent, a chat page and tests, installs it and starts it.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const HELP = `npm create cairn-agent <folder> [-- --no-start | --no-install]

Makes a project in the folder, installs its packages, and starts its chat.
  --no-start     makes and installs
  --no-install   only makes the files`;

const { values, positionals } = readArguments();
const [folder] = positionals;
if (values.help || folder === undefined || positionals.length > 1) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}
const target = resolve(folder);
if (existsSync(target) && readdirSync(target).length > 0)
  fail(`The folder ${folder} is not empty. Choose another one, or empty it.`);
const template = fileURLToPath(new URL("template", import.meta.url));
const manifest = JSON.parse(readFileSync(join(template, "package.json"), "utf8"));
const needed = manifest.engines.node;
if (!isNewEnough(needed)) fail(`The project needs Node ${needed}, and this is ${process.versions.node}.`);
makeProject();
console.log(`Made ${folder}: agent.ts, agent.test.ts, server.ts, page.tsx.`);
if (!values["no-install"]) {
  npm("install");
  console.log(`\n  cd ${folder}\n  npm test     tests the agent\n  npm start    starts the chat\n`);
  if (!values["no-start"]) npm("start");
}

function readArguments() {
  const flag = { type: "boolean", default: false };
  const options = { help: { ...flag, short: "h" }, "no-start": flag, "no-install": flag };
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return fail(`${error.message}\n\n${HELP}`);
  }
}

function makeProject() {
  mkdirSync(target, { recursive: true });
  cpSync(template, target, { recursive: true });
  // npm leaves a file with the real name out of packages.
  renameSync(join(target, "gitignore"), join(target, ".gitignore"));
  const name = basename(target)
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, "-")
    .replace(/^[._-]+/, "");
  const named = { ...manifest, name: name || "agent" };
  writeFileSync(join(target, "package.json"), `${JSON.stringify(named, null, 2)}\n`);
}

/** `needed` is a range such as `>=22.18`. */
function isNewEnough(needed) {
  const [major, minor] = needed.replace(/\D+/, "").split(".").map(Number);
  const [ownMajor, ownMinor] = process.versions.node.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

function npm(...args) {
  const { status, error } = spawnSync("npm", args, {
    cwd: target,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error !== undefined) fail(`npm could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
