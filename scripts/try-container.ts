/**
 * `npm run try:container`: executes every step of `deploy/Dockerfile` without a Docker engine, then starts the command of
 * the image as its user, runs its health check until it passes, has a conversation and stops it.
 *
 * Each stage is a Debian root made by debootstrap, with the project's Node and a user `node` instead of the base image.
 * The command needs root on Debian, and takes several minutes. The first root is kept in `dist/container` for the next
 * time.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findCommand } from "@cairn/testkit/system-package";
import { readDockerfile, type Stage } from "./packaging/dockerfile.ts";
import { projectRoot } from "./run-command.ts";

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const scratch = mkdtempSync(join(tmpdir(), "cairn-container-"));

/** Values that the instructions of a stage have set. */
interface Image {
  readonly root: string;
  readonly env: Record<string, string>;
  workdir: string;
  user: string;
  health: string;
  entrypoint: string[];
  command: string[];
}

try {
  const found = findCommand("debootstrap");
  if (found.path === null) throw new Error(found.reason);
  const stages = readDockerfile(readFileSync(join(projectRoot, "deploy/Dockerfile"), "utf8"));
  const base = makeBase();
  const images = new Map<string, Image>();
  let last: Image | undefined;
  for (const [nth, stage] of stages.entries()) {
    last = await buildStage(stage, join(scratch, `stage-${nth}`), base, images);
    if (stage.name !== null) images.set(stage.name, last);
  }
  if (last === undefined) throw new Error("The Dockerfile has no stage.");
  await runImage(last);
  console.log("Every step of the Dockerfile was executed, and its server answered, was healthy and stopped.");
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Debian with the project's Node, as the image node:24-bookworm-slim. */
function makeBase(): string {
  const kept = join(projectRoot, "dist/container");
  if (existsSync(kept)) return kept;
  const root = join(scratch, "base");
  say("debootstrap");
  execFileSync("debootstrap", ["--variant=minbase", "--include=ca-certificates", "bookworm", root, mirror()], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const local = join(root, "usr/local");
  cpSync(join(projectRoot, "node_modules/node/bin/node"), join(local, "bin/node"));
  const npm = dirname(dirname(realPath(execFileSync("which", ["npm"], { encoding: "utf8" }).trim())));
  cpSync(npm, join(local, "lib/node_modules/npm"), { recursive: true });
  for (const name of ["npm", "npx"])
    execFileSync("ln", ["-s", `../lib/node_modules/npm/bin/${name}-cli.js`, join(local, "bin", name)]);
  execFileSync("chroot", [root, "useradd", "--uid", "1000", "--create-home", "node"]);
  for (const file of ["/etc/resolv.conf", "/etc/hosts"]) cpSync(file, join(root, file), { dereference: true });
  cpSync("/etc/ssl/certs", join(root, "etc/ssl/certs"), { recursive: true, dereference: true, force: true });
  mkdirSync(join(projectRoot, "dist"), { recursive: true });
  execFileSync("cp", ["-a", root, kept]);
  return kept;
}

/** The mirror that this machine uses. */
function mirror(): string {
  const sources = "/etc/apt/sources.list.d/debian.sources";
  const [, address] = (existsSync(sources) && /^URIs:\s*(\S+)/m.exec(readFileSync(sources, "utf8"))) || [];
  return address ?? "http://deb.debian.org/debian";
}

async function buildStage(
  stage: Stage,
  root: string,
  base: string,
  images: ReadonlyMap<string, Image>,
): Promise<Image> {
  execFileSync("cp", ["-a", base, root]);
  const image: Image = { root, env: {}, workdir: "/", user: "root", health: "", entrypoint: [], command: [] };
  const args: Record<string, string> = {};
  for (const { name, value } of stage.instructions) {
    say(`${name} ${value}`);
    const [key = "", setting = ""] = /^(\w+)=(.*)$/.exec(value)?.slice(1) ?? [];
    if (name === "ARG") args[key] = setting.replace(/^"|"$/g, "");
    else if (name === "ENV") image.env[key] = setting;
    else if (name === "WORKDIR") {
      image.workdir = value;
      mkdirSync(join(root, value), { recursive: true });
    } else if (name === "USER") image.user = value;
    else if (name === "COPY") copy(image, value, images);
    else if (name === "RUN") await run(image, ["sh", "-c", value], { ...npmSettings(), ...args });
    else if (name === "HEALTHCHECK") image.health = value.replace(/^.*?CMD /, "");
    else if (name === "ENTRYPOINT") image.entrypoint = JSON.parse(value);
    else if (name === "CMD") image.command = JSON.parse(value);
  }
  return image;
}

/** `COPY . .` copies the files that git knows. `.dockerignore` leaves out others. */
function copy({ root, workdir }: Image, value: string, images: ReadonlyMap<string, Image>): void {
  const [, stage, source = "", target = ""] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(value) ?? [];
  const to = target.startsWith("/") ? join(root, target) : join(root, workdir, target);
  if (stage !== undefined) cpSync(join(images.get(stage)?.root ?? "", source), to, { recursive: true });
  else if (source !== ".") cpSync(join(projectRoot, source), to, { recursive: true });
  else {
    const listed = execFileSync("git", ["ls-files", "-z"], { cwd: projectRoot, encoding: "utf8" });
    for (const file of listed.split("\0"))
      if (file !== "" && existsSync(join(projectRoot, file))) cpSync(join(projectRoot, file), join(to, file));
  }
}

/** npm inside the root uses the registry of this machine, and trusts the certificates that this machine trusts. */
function npmSettings(): Record<string, string> {
  const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const trusted = "/etc/ssl/certs/ca-certificates.crt";
  return { npm_config_registry: registry, npm_config_loglevel: "error", NODE_EXTRA_CA_CERTS: trusted };
}

/** The command in the root, as its user, with /proc; the process has the returned id. */
function start({ root, env, workdir, user }: Image, command: readonly string[], more: object = {}): ChildProcess {
  const script = 'mount -t proc proc "$1/proc" && cd "$1$2" && shift 2 && exec "$@"';
  const enter = ["chroot", `--userspec=${user}`, root, "/usr/bin/env", "-C", workdir, ...command];
  const home = user === "root" ? "/root" : `/home/${user}`;
  return spawn("unshare", ["--mount", "sh", "-c", script, "sh", root, workdir, ...enter], {
    env: { PATH, HOME: home, ...env, ...more },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function run(image: Image, command: readonly string[], more: object = {}): Promise<number> {
  const child = start(image, command, more);
  child.stdout?.pipe(process.stdout);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}.`);
  return code;
}

async function runImage(image: Image): Promise<void> {
  const token = "token-of-the-trial";
  const sha256 = createHash("sha256").update(token).digest("hex");
  const tokens = JSON.stringify([{ sha256, tenant: "t", project: "p", user: "u" }]);
  // A free port is used, because port 4310 may be in use on this machine. A real container has its own ports.
  const port = String(await freePort());
  const command = [...image.entrypoint, ...image.command].map((part) => (part === "4310" ? port : part));
  say(`${command.join(" ")}, as ${image.user}`);
  const server = start(image, command, { CAIRN_TOKENS: tokens });
  const ended = once(server, "exit");
  try {
    await waitForHealth({ ...image, health: image.health.replace("4310", port) }, server);
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1];
    if (uid === "0" || uid === undefined) throw new Error("The server runs as root.");
    await converse(`http://127.0.0.1:${port}`, token);
    if (!existsSync(join(image.root, "data/cairn.db"))) throw new Error("The conversation is not in /data.");
  } finally {
    server.kill("SIGTERM");
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`The server ended with ${code}.`);
}

async function waitForHealth(image: Image, server: ChildProcess): Promise<void> {
  for (let look = 0; look < 120 && server.exitCode === null; look++) {
    const [code] = await once(start(image, ["sh", "-c", image.health]), "exit");
    if (code === 0) return say("healthy");
    await pause(500);
  }
  throw new Error("The health check did not pass.");
}

async function converse(address: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const chat = {
    id: "trial",
    messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "How much is 12 * 7?" }] }],
  };
  const response = await fetch(`${address}/api/chat`, { method: "POST", headers, body: JSON.stringify(chat) });
  const text = await response.text();
  if (!response.ok || !text.includes("84"))
    throw new Error(`The server answered ${response.status}: ${text.slice(0, 500)}`);
  say("a conversation");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return address !== null && typeof address === "object" ? address.port : 0;
}

function realPath(path: string): string {
  return execFileSync("realpath", [path], { encoding: "utf8" }).trim();
}

function say(step: string): void {
  console.log(`▸ ${step}`);
}
