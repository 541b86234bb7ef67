/**
 * A real S3 service for tests: a Ceph cluster of one monitor, one disk and one gateway, in a temporary folder and on
 * ports of its own. Needs root and Debian's ceph packages, which are installed when they are missing.
 *
 * The daemons are children of this process and end with it. Authentication between the daemons is on: without
 * authentication the gateway waits for minutes before it starts.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { findCommand } from "../../system-package.ts";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);

const ACCESS = { key: "CAIRNTESTKEY", secret: "cairn-test-secret" };
const READY_MS = 120_000;

export interface S3Server {
  readonly endpoint: string;
  /** Environment variables from which the AWS SDK reads its keys. */
  readonly env: { readonly AWS_ACCESS_KEY_ID: string; readonly AWS_SECRET_ACCESS_KEY: string };
  createBucket(name: string): Promise<void>;
  /** Stops the gateway: every request fails from now on. */
  stopGateway(): Promise<void>;
  /** Starts the server again, and waits until it answers. */
  startGateway(): Promise<void>;
  close(): Promise<void>;
}

/** Why the service is not available on this machine; null if it is. */
export function whyNoS3Server(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "a Ceph gateway needs Linux and root";
  for (const [command, debianPackage] of [
    ["radosgw", "radosgw"],
    ["ceph-mon", "ceph-mon"],
    ["ceph-osd", "ceph-osd"],
  ] as const) {
    const found = findCommand(command, debianPackage);
    if (found.path === null) return found.reason;
  }
  return null;
}

export async function startS3Server(): Promise<S3Server> {
  const cluster = new Cluster(await mkdtemp(join(tmpdir(), "cairn-s3-")), await freePort(), await freePort());
  try {
    await cluster.start();
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

class Cluster implements S3Server {
  readonly endpoint: string;
  readonly env = { AWS_ACCESS_KEY_ID: ACCESS.key, AWS_SECRET_ACCESS_KEY: ACCESS.secret };
  readonly #folder: string;
  readonly #monitorPort: number;
  readonly #gatewayPort: number;
  readonly #daemons: ChildProcess[] = [];
  #gateway: ChildProcess | null = null;
  /** Why a daemon could not be started or ended. */
  #failure: Error | null = null;

  constructor(folder: string, monitorPort: number, gatewayPort: number) {
    this.#folder = folder;
    this.#monitorPort = monitorPort;
    this.#gatewayPort = gatewayPort;
    this.endpoint = `http://127.0.0.1:${gatewayPort}`;
  }

  async start(): Promise<void> {
    const id = randomUUID();
    for (const name of ["mon", "osd", "rgw", "run", "log"]) await mkdir(join(this.#folder, name));
    await writeFile(this.#conf(), this.#settings(id));
    await this.#makeKeys();
    const map = join(this.#folder, "monmap");
    await run("monmaptool", ["--create", "--fsid", id, "--addv", "a", `[v2:127.0.0.1:${this.#monitorPort}]`, map]);
    const keyring = join(this.#folder, "keyring");
    await run("ceph-mon", ["-c", this.#conf(), "--mkfs", "-i", "a", "--monmap", map, "--keyring", keyring]);
    this.#daemons.push(this.#spawn("ceph-mon", ["-i", "a", "-f"]));
    const disk = randomUUID();
    const { stdout } = await this.#ceph("osd", "new", disk);
    const number = stdout.trim();
    await run("ceph-osd", ["-c", this.#conf(), "-i", number, "--mkfs", "--osd-uuid", disk]);
    this.#daemons.push(this.#spawn("ceph-osd", ["-i", number, "-f"]));
    await this.#ceph("osd", "crush", "add", `osd.${number}`, "1.0", "host=h1", "root=default");
    await this.startGateway();
    const account = ["user", "create", "--uid=t", "--display-name=t"];
    const keys = [`--access-key=${ACCESS.key}`, `--secret-key=${ACCESS.secret}`];
    await run("radosgw-admin", ["-c", this.#conf(), "-k", keyring, "-n", "client.admin", ...account, ...keys]);
  }

  async startGateway(): Promise<void> {
    if (this.#gateway !== null) return;
    const keyring = join(this.#folder, "keyring");
    this.#gateway = this.#spawn("radosgw", ["-n", "client.rgw.a", "-k", keyring, "-f"]);
    const deadline = Date.now() + READY_MS;
    while (!(await this.#answers())) {
      if (this.#failure !== null) throw this.#failure;
      if (Date.now() > deadline) throw new Error("The S3 gateway does not answer.");
      if (this.#gateway.exitCode !== null) throw new Error(`The S3 gateway ended with ${this.#gateway.exitCode}.`);
      await sleep(100);
    }
  }

  async createBucket(name: string): Promise<void> {
    const { CreateBucketCommand, S3Client } = await import("@aws-sdk/client-s3");
    const credentials = { accessKeyId: ACCESS.key, secretAccessKey: ACCESS.secret };
    const client = new S3Client({ region: "us-east-1", endpoint: this.endpoint, forcePathStyle: true, credentials });
    await client.send(new CreateBucketCommand({ Bucket: name }));
    client.destroy();
  }

  async stopGateway(): Promise<void> {
    const gateway = this.#gateway;
    this.#gateway = null;
    if (gateway !== null) await end(gateway);
  }

  async close(): Promise<void> {
    await this.stopGateway();
    for (const daemon of this.#daemons.splice(0).reverse()) await end(daemon);
    await rm(this.#folder, { recursive: true, force: true });
  }

  #conf(): string {
    return join(this.#folder, "ceph.conf");
  }

  #spawn(command: string, args: readonly string[]): ChildProcess {
    const child = spawn(command, ["-c", this.#conf(), ...args], { stdio: "ignore" });
    child.on("error", (error) => {
      this.#failure ??= error;
    });
    return child;
  }

  #ceph(...args: readonly string[]) {
    return run("ceph", ["-c", this.#conf(), "--connect-timeout", "60", ...args]);
  }

  async #answers(): Promise<boolean> {
    try {
      return (await fetch(this.endpoint, { signal: AbortSignal.timeout(2_000) })).ok;
    } catch {
      // The gateway is not listening yet.
      return false;
    }
  }

  async #makeKeys(): Promise<void> {
    const keyring = join(this.#folder, "keyring");
    const add = (name: string, ...caps: readonly string[]) => {
      const pairs = caps.flatMap((cap) => ["--cap", ...cap.split("=")]);
      return run("ceph-authtool", [keyring, "--gen-key", "-n", name, ...pairs]);
    };
    await run("ceph-authtool", ["--create-keyring", keyring]);
    await add("mon.", "mon=allow *");
    await add("client.admin", "mon=allow *", "osd=allow *", "mgr=allow *");
    await add("client.rgw.a", "mon=allow rw", "osd=allow rwx", "mgr=allow rw");
    await add("osd.0", "mon=allow profile osd", "osd=allow *", "mgr=allow profile osd");
  }

  #settings(id: string): string {
    const settings: Readonly<Record<string, string>> = {
      fsid: id,
      "mon host": `v2:127.0.0.1:${this.#monitorPort}/0`,
      "mon initial members": "a",
      "public network": "127.0.0.0/8",
      "auth cluster required": "cephx",
      "auth service required": "cephx",
      "auth client required": "cephx",
      "osd pool default size": "1",
      "osd pool default min size": "1",
      "mon allow pool size one": "true",
      "mon warn on pool no redundancy": "false",
      "mon data avail crit": "1",
      "mon max pg per osd": "2000",
      "osd crush chooseleaf type": "0",
      "osd pool default pg num": "8",
      "osd pool default pgp num": "8",
      "osd pool default pg autoscale mode": "off",
      "run dir": join(this.#folder, "run"),
      "log file": join(this.#folder, "log", "$name.log"),
      "admin socket": join(this.#folder, "run", "$name.asok"),
      "pid file": join(this.#folder, "run", "$name.pid"),
      keyring: join(this.#folder, "keyring"),
      "mon data": join(this.#folder, "mon"),
      "osd data": join(this.#folder, "osd"),
      "osd objectstore": "bluestore",
      "bluestore block size": "4294967296",
      "bluestore fsck on mount": "false",
      "osd memory target": "1073741824",
      "rgw frontends": `beast endpoint=127.0.0.1:${this.#gatewayPort} tcp_nodelay=1`,
      "rgw data": join(this.#folder, "rgw"),
      "rgw enable usage log": "false",
      "rgw dns name": "localhost",
      "ms bind ipv6": "false",
      "ms bind ipv4": "true",
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    return `[global]\n${lines.join("\n")}\n`;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}
