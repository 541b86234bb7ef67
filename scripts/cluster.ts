/**
 * `npm run cluster`: starts a cluster on this machine for trying it. The cluster has PostgreSQL, an S3 gateway (or a
 * folder if a gateway cannot run), two servers and two workers, each in its own process. A process that dies is started
 * again, as a supervisor would do. Ctrl-C ends the cluster and removes its data. `--servers <n>` and `--workers <n>`
 * start more or fewer.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installPostgres } from "@cairn/testkit/postgres";
import { startPostgres, startS3Server, whyNoPostgres, whyNoS3Server } from "@cairn/testkit/store";
import { buildApp } from "@cairn/web/build";

const BIN = fileURLToPath(new URL("../packages/cli/bin/cairn.mjs", import.meta.url));
const RESTART_MS = 1_000;
const ARGS = { serve: ["serve", "--no-turns", "--port", "0", "--json"], worker: ["worker", "--json"] };

const count = (name: string, value: string) => {
  if (!/^[1-9]\d?$/.test(value)) throw new Error(`--${name} takes a whole number from 1 to 99.`);
  return Number(value);
};
const { values } = parseArgs({
  options: { servers: { type: "string", default: "2" }, workers: { type: "string", default: "2" } },
});
const roles = [
  ...Array.from({ length: count("servers", values.servers) }, () => "serve" as const),
  ...Array.from({ length: count("workers", values.workers) }, () => "worker" as const),
];
installPostgres();
const missing = whyNoPostgres();
if (missing !== null) throw new Error(`PostgreSQL cannot run here: ${missing}.`);

const told = new AbortController();
const failed = Promise.withResolvers<never>();
/** Resolves when the cluster is asked to stop; rejects when a process cannot be started again. */
const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM"), failed.promise]).finally(() =>
  told.abort(),
);
// The error is kept until a caller waits for the process.
stopped.catch(() => undefined);
await buildApp(() => console.log("Building the web app…"));
const folder = await mkdtemp(join(tmpdir(), "cairn-cluster-"));
await using undo = new AsyncDisposableStack();
undo.defer(() => rm(folder, { recursive: true, force: true }));

console.log("Starting PostgreSQL and S3…");
const postgres = await startPostgres();
undo.defer(() => postgres.close());
const env = { ...process.env, CAIRN_DATABASE_URL: await postgres.createDatabase(), ...(await openBlobs()) };
const children = new Set<ChildProcess>();
undo.defer(async () => {
  const ends = [...children].map((child) => once(child, "exit"));
  for (const child of children) child.kill("SIGTERM");
  await Promise.all(ends);
});
await Promise.all(roles.map((role, nth) => keepRunning(role, nth)));
console.log(
  "\nA conversation begun at one server goes on at the other. Kill a worker in the middle of a turn (kill -9 <pid>):\nanother takes the turn over. Ctrl-C ends everything and removes its data.",
);
await stopped;

/** The settings that say where blobs are stored. */
async function openBlobs(): Promise<Readonly<Record<string, string>>> {
  const missing = whyNoS3Server();
  if (missing !== null) {
    console.log(`Files go to a folder, because no S3 gateway can run here: ${missing}.`);
    return { CAIRN_BLOBS_URL: join(folder, "blobs") };
  }
  const s3 = await startS3Server();
  undo.defer(() => s3.close());
  Object.assign(process.env, s3.env);
  await s3.createBucket("cairn");
  return { ...s3.env, CAIRN_BLOBS_URL: `s3://cairn/try?endpoint=${encodeURIComponent(s3.endpoint)}` };
}

/** Resolves when the process listens. From then on, the process is started again whenever it ends. */
async function keepRunning(role: keyof typeof ARGS, nth: number): Promise<void> {
  const data = join(folder, `${role}-${nth}`);
  await mkdir(data, { recursive: true });
  const child = spawn(process.execPath, [BIN, ...ARGS[role]], {
    env: { ...env, CAIRN_DATA_DIR: data },
    stdio: ["ignore", "pipe", "inherit"],
    // Ctrl-C reaches only this process, which then ends the others in order.
    detached: true,
  });
  children.add(child);
  const ended = once(child, "exit").then(() => {
    children.delete(child);
    return null;
  });
  const line = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  if (line === null) throw new Error(`A process of the cluster ended at once: cairn ${ARGS[role].join(" ")}.`);
  const { address } = JSON.parse(String(line[0]));
  console.log(`${role === "serve" ? "server" : "worker"} ${address} (pid ${child.pid})`);
  const startAgain = async () => {
    if (told.signal.aborted) return;
    console.log(`${role === "serve" ? "server" : "worker"} ${child.pid} has ended; starting another.`);
    await wait(RESTART_MS);
    if (!told.signal.aborted) await keepRunning(role, nth);
  };
  ended.then(startAgain).catch(failed.reject);
}
