/**
 * `npm run try:create`: from nothing to a running chat with one command, and to its tests with another. npm gets the
 * built packages from a registry on this machine. A browser sends a message in the chat and reads the answer again
 * after a reload.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withPage } from "./packaging/browser-page.ts";
import { createName } from "./packaging/create-package.ts";
import { LocalRegistry } from "./packaging/local-registry.ts";
import { packageName } from "./packaging/parts.ts";
import { projectRoot } from "./run-command.ts";

const scratch = mkdtempSync(join(tmpdir(), "cairn-create-"));
mkdirSync(join(scratch, "packed"));
const built = [packageName, createName].map((name) => join(projectRoot, "dist", name));

try {
  await using registry = await LocalRegistry.start(built, join(scratch, "packed"));
  // The cache is new, because npm keeps earlier builds of the same version.
  const env = {
    ...process.env,
    npm_config_registry: registry.address,
    npm_config_cache: join(scratch, "cache"),
    npm_config_yes: "true",
    npm_config_loglevel: "error",
    PORT: "0",
  };
  const began = performance.now();
  const create = ["create", packageName, "my-agent"];
  console.log(`$ npm ${create.join(" ")}`);
  // The command has its own process group, because npm starts the server below other processes.
  const child = spawn("npm", create, { cwd: scratch, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
  try {
    const address = await printedAddress(child);
    await chat(address);
    console.log(
      `A chat answered at ${address}, ${Math.round((performance.now() - began) / 1000)} s after the command.`,
    );
  } finally {
    await stop(child);
  }
  console.log("$ npm test");
  const { status } = spawnSync("npm", ["test"], { cwd: join(scratch, "my-agent"), env, stdio: "inherit" });
  if (status !== 0) throw new Error(`npm test ended with ${status}.`);
  if (registry.served < 4) throw new Error("npm did not get the packages from the local registry.");
  console.log("The project was created, its chat answered, and its tests passed.");
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function printedAddress({ stdout }: ChildProcess): Promise<string> {
  let said = "";
  for await (const chunk of stdout ?? []) {
    said += chunk;
    process.stdout.write(chunk);
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error("The chat did not start.");
}

async function chat(address: string): Promise<void> {
  await withPage(async (page) => {
    await page.goto(address);
    await page.getByLabel("Message").fill("How much is 12 * 7?");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("84").waitFor();
    await page.reload();
    await page.getByText("84").waitFor();
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = once(child, "exit");
  process.kill(-child.pid, "SIGTERM");
  await ended;
}
