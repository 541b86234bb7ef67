/**
 * `npm run try:upgrade -- <commit>`: a rolling upgrade of a cluster from an earlier version to this one. The earlier
 * version starts turns that wait for approval and turns that run. Then its server and its workers are replaced one after
 * the other, as the guide to deployment says, and approvals are given to both versions on the way. A turn that has no
 * answer at the end is stranded; there must be none.
 *
 * `--turns 20`: how many turns wait, and how many run.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { installPostgres } from "@cairn/testkit/postgres";
import { startPostgres } from "@cairn/testkit/store";
import { projectRoot } from "./run-command.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { turns: { type: "string", default: "20" } },
});
const [commit] = positionals;
if (commit === undefined) throw new Error("Name the commit or tag of the earlier version.");
const PATIENCE_MS = 300_000;
const scratch = mkdtempSync(join(tmpdir(), "cairn-upgrade-"));
const members = new Set<ChildProcess>();
installPostgres();
const postgres = await startPostgres();

try {
  const older = checkOut(commit);
  const env = {
    PATH: process.env.PATH,
    CAIRN_DATABASE_URL: await postgres.createDatabase(),
    CAIRN_BLOBS_URL: join(scratch, "blobs"),
    CAIRN_TEST_EFFECTS: join(scratch, "effects.log"),
    CAIRN_DRAIN_SECONDS: "1",
  };
  const start = (root: string, role: "serve" | "worker") => startMember(root, role, env);
  const count = Number(values.turns);

  const oldServer = await start(older, "serve");
  const oldWorkers = [await start(older, "worker"), await start(older, "worker")];
  const waiting = await Promise.all(Array.from({ length: count }, () => send(oldServer, "Please act, but ask first.")));
  await Promise.all(waiting.map((id) => until(oldServer, id, ({ approvals }) => approvals.length > 0)));
  say(`${count} turns of ${commit} wait for approval.`);

  const newServer = await start(projectRoot, "serve");
  const { ok: isCompatible } = await fetch(`${oldServer.address}/readyz`);
  say(`The new server has started. The old version can ${isCompatible ? "still" : "no longer"} use the database.`);
  // Requests go to a server that is ready, as behind a load balancer.
  const server = isCompatible ? oldServer : newServer;
  const third = Math.ceil(count / 3);
  await Promise.all(waiting.slice(0, third).map((id) => approve(server, id)));
  const running = await Promise.all(Array.from({ length: count }, () => send(server, "Please act.")));
  await stop(oldServer);
  say(`The old server was stopped after ${third} approvals and ${count} messages.`);
  await Promise.all(waiting.slice(third, 2 * third).map((id) => approve(newServer, id)));
  for (const worker of oldWorkers) {
    await start(projectRoot, "worker");
    await stop(worker);
  }
  say("The old workers were replaced.");
  await Promise.all(waiting.slice(2 * third).map((id) => approve(newServer, id)));

  const all = [...waiting, ...running];
  const ends = await Promise.allSettled(all.map((id) => until(newServer, id, isAnswered)));
  const stranded = ends.filter(({ status }) => status === "rejected").length;
  console.log(`${all.length} turns, ${stranded} stranded`);
  process.exitCode = stranded === 0 ? 0 : 1;
} finally {
  for (const child of members) child.kill("SIGKILL");
  await postgres.close();
  rmSync(scratch, { recursive: true, force: true });
}

/** The sources of the earlier version with the installed libraries, and its own packages. */
function checkOut(version: string): string {
  const root = join(scratch, "older");
  mkdirSync(root);
  execFileSync("sh", ["-c", 'git archive "$1" | tar -x -C "$2"', "sh", version, root], { cwd: projectRoot });
  const link = (from: string, to: string) => symlinkSync(join(projectRoot, from), join(root, to));
  mkdirSync(join(root, "node_modules/@cairn"), { recursive: true });
  for (const name of readdirSync(join(projectRoot, "node_modules")))
    if (name !== "@cairn" && name !== "cairn-agent") link(`node_modules/${name}`, `node_modules/${name}`);
  for (const name of readdirSync(join(root, "packages"))) {
    const target = name === "front" ? "cairn-agent" : `@cairn/${name}`;
    symlinkSync(join(root, "packages", name), join(root, "node_modules", target));
  }
  return root;
}

interface Member {
  readonly child: ChildProcess;
  readonly address: string;
}

async function startMember(root: string, role: "serve" | "worker", env: NodeJS.ProcessEnv): Promise<Member> {
  const args = role === "serve" ? ["serve", "--no-turns", "--port", "0", "--json"] : ["worker", "--json"];
  const child = spawn(process.execPath, [join(root, "packages/cli/bin/cairn.mjs"), ...args], {
    cwd: join(root, "packages/server/test/cluster"),
    env: { ...env, CAIRN_DATA_DIR: mkdtempSync(join(scratch, "data-")) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  members.add(child);
  child.on("exit", () => members.delete(child));
  if (child.stdout === null) throw new Error("The process has no output.");
  for await (const line of createInterface({ input: child.stdout }))
    return { child, address: JSON.parse(line).address ?? "" };
  throw new Error(`cairn ${role} of ${root} did not start.`);
}

async function stop({ child }: Member): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** The fields of a conversation that this trial reads. */
interface View {
  readonly approvals: readonly { readonly call_id: string; readonly hash: string }[];
  readonly turns: readonly { readonly completion: object | null }[];
}

function isAnswered({ turns, approvals }: View): boolean {
  return approvals.length === 0 && turns.length > 0 && turns.every(({ completion }) => completion !== null);
}

async function call({ address }: Member, method: string, path: string, body?: object) {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await fetch(`${address}/api/conversations${path}`, { method, ...sent });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return JSON.parse(await response.text());
}

async function send(server: Member, message: string): Promise<string> {
  const { conversation_id: id } = await call(server, "POST", "", {});
  await call(server, "POST", `/${id}/turns`, { message });
  return id;
}

async function approve(server: Member, id: string): Promise<void> {
  const { approvals }: View = await call(server, "GET", `/${id}`);
  for (const { call_id, hash } of approvals)
    await call(server, "POST", `/${id}/approvals/${call_id}`, { approve: true, hash });
}

async function until(server: Member, id: string, fits: (view: View) => boolean): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(250))
    if (fits(await call(server, "GET", `/${id}`))) return;
  throw new Error(`The conversation ${id} is not where it should be.`);
}

function say(step: string): void {
  console.log(`▸ ${step}`);
}
