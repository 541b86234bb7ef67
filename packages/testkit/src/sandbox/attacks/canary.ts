/**
 * The targets of attacks, protected by nothing but a sandbox: servers on every kind of socket, a secret in a file, in
 * the environment and in a process, a world-writable folder, and a process to kill. Each target reports afterwards
 * whether an attack reached it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface CanaryFacts {
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly httpPort: number;
  readonly unixSocket: string;
  /** Name of the abstract socket, without its leading NUL. */
  readonly abstractSocket: string;
  /** A file that contains the secret as text. */
  readonly secretFile: string;
  /** A file that contains `{"secret": …}`. */
  readonly secretJson: string;
  readonly secret: string;
  /** A folder outside the stage that everybody may write to. */
  readonly outside: string;
  readonly victimPid: number;
}

export class Canary implements AsyncDisposable {
  readonly facts: CanaryFacts;
  readonly #reached = new Set<string>();
  readonly #close: () => Promise<void>;
  readonly #victim: ChildProcess;

  private constructor(facts: CanaryFacts, reached: Set<string>, victim: ChildProcess, close: () => Promise<void>) {
    this.facts = facts;
    this.#reached = reached;
    this.#victim = victim;
    this.#close = close;
  }

  static async open(): Promise<Canary> {
    const secret = `secret-${randomUUID()}`;
    const folder = await mkdtemp(join(tmpdir(), "cairn-canary-"));
    const outside = join(folder, "outside");
    await mkdir(outside);
    const secretFile = join(folder, "secret.txt");
    const secretJson = join(folder, "secret.json");
    await writeFile(secretFile, secret);
    await writeFile(secretJson, JSON.stringify({ secret }));
    for (const path of [folder, outside]) await chmod(path, 0o777);
    for (const path of [secretFile, secretJson]) await chmod(path, 0o666);
    const reached = new Set<string>();
    const unixSocket = join(folder, "door.sock");
    const abstractSocket = `cairn-${randomUUID()}`;
    const greet = (door: string) => (socket: Socket) => {
      reached.add(door);
      // Errors are ignored, because an attack may end before it has received the answer.
      socket.on("error", () => undefined);
      socket.end("hello");
    };
    const tcp = createTcpServer(greet("tcp"));
    const unix = createTcpServer(greet("unix"));
    const abstract = createTcpServer(greet("abstract unix"));
    const http = createServer((_, response) => {
      reached.add("http");
      response.setHeader("content-type", "text/javascript").end("export default 'remote module';");
    });
    const udp = createSocket("udp4", (message, from) => {
      reached.add("udp");
      udp.send(message, from.port, from.address);
    });
    await Promise.all([
      new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve)),
      new Promise<void>((resolve) => unix.listen(unixSocket, resolve)),
      new Promise<void>((resolve) => abstract.listen(`\0${abstractSocket}`, resolve)),
      new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve)),
      new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve)),
    ]);
    await chmod(unixSocket, 0o777);
    // The secret is among the process's arguments, where every process of the machine can read it.
    const victim = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", secret], { stdio: "ignore" });
    const failures: Error[] = [];
    for (const each of [tcp, unix, abstract, http, udp, victim]) each.on("error", (error) => failures.push(error));
    const portOf = (server: { address(): unknown }) => (server.address() as { port: number }).port;
    const facts: CanaryFacts = {
      tcpPort: portOf(tcp),
      udpPort: portOf(udp),
      httpPort: portOf(http),
      unixSocket,
      abstractSocket,
      secretFile,
      secretJson,
      secret,
      outside,
      victimPid: victim.pid ?? 0,
    };
    return new Canary(facts, reached, victim, async () => {
      if (failures.length > 0) throw new AggregateError(failures, "The canary failed.");
      victim.kill("SIGKILL");
      http.closeAllConnections();
      for (const server of [tcp, unix, abstract, http]) server.close();
      udp.close();
      await rm(folder, { recursive: true, force: true });
    });
  }

  /**
   * Returns the servers that were reached, files that were made or changed, and whether the process was killed; then
   * resets.
   */
  async harm(): Promise<readonly string[]> {
    const { secretFile, secret, outside } = this.facts;
    const harm = [...this.#reached];
    this.#reached.clear();
    for (const name of await readdir(outside)) {
      harm.push(`wrote ${name}`);
      await rm(join(outside, name), { recursive: true, force: true });
    }
    if ((await readFile(secretFile, "utf8")) !== secret) harm.push("changed the secret");
    await writeFile(secretFile, secret);
    await chmod(secretFile, 0o666);
    await chmod(outside, 0o777);
    if (this.#victim.exitCode !== null || this.#victim.signalCode !== null) harm.push("ended a process");
    return harm;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}
