/**
 * Sends each request to a guarded server, and to a server without that guard: the same server without tokens, one that
 * joins paths unchecked, or one that parses requests as leniently as Node can.
 */
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newToken, type RunningServer, startServer } from "@cairn/server";
import { loadSettings } from "cairn-agent/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REQUEST_ATTACKS, type RequestAttack } from "./requests.ts";

const SECRET = "what nobody may read";
const { token, entry } = newToken({ tenant: "acme", project: "site", user: "ada" });

let folder: string;
let guarded: RunningServer;
let open: RunningServer;
const careless: Record<"outside" | "framing", Server> = {
  outside: createServer(async (request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const file = join(folder, "web", decodeURIComponent(path));
    response.end(await readFile(file, "utf8").catch(() => ""));
  }),
  framing: createServer(
    { insecureHTTPParser: true, requireHostHeader: false, maxHeaderSize: 100_000 },
    (request, response) => {
      request.resume();
      response.end("taken");
    },
  ),
};

async function start(name: string, env: Readonly<Record<string, string>>): Promise<RunningServer> {
  const data = { CAIRN_DATA_DIR: join(folder, name), CAIRN_PORT: "0", CAIRN_DRAIN_SECONDS: "0" };
  const settings = await loadSettings({ cwd: folder, env: { ...data, ...env } });
  return startServer({ settings, env: {}, logTo: { write: () => true }, webFolder: join(folder, "web") });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-requests-"));
  await mkdir(join(folder, "web", "assets"), { recursive: true });
  await writeFile(join(folder, "web", "index.html"), "<p>the app</p>");
  await writeFile(join(folder, "secret.txt"), SECRET);
  guarded = await start("guarded", { CAIRN_TOKENS: JSON.stringify([entry]) });
  open = await start("open", {});
  for (const server of Object.values(careless)) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
});
afterAll(async () => {
  for (const server of Object.values(careless)) server.close();
  await Promise.all([guarded.stop(), open.stop()]);
  await rm(folder, { recursive: true });
});

/** Everything received until the server closes the connection. */
async function send(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let told = "";
  socket.on("error", () => undefined); // The server may close the connection while the test writes.
  socket.setEncoding("latin1").on("data", (text: string) => {
    told += text;
  });
  socket.write(Buffer.from(bytes, "latin1"));
  await once(socket, "close");
  return told;
}

const statuses = (told: string) => [...told.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));

/** Whether the attack reached its goal. */
function isReached({ goal }: RequestAttack, told: string): boolean {
  if (goal === "closed") return told.includes('"conversations"');
  if (goal === "outside") return told.includes(SECRET);
  return statuses(told).some((status) => status < 400);
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

describe.each(REQUEST_ATTACKS.map((attack) => [attack.name, attack] as const))("%s", (_, attack) => {
  it("succeeds without the guard", async () => {
    const other = attack.goal === "outside" ? careless.outside : careless.framing;
    const port = attack.goal === "closed" ? open.port : portOf(other);
    const told = await send(port, attack.bytes(token));
    expect(isReached(attack, told) ? "" : told).toBe("");
  });

  it("fails with the guard", async () => {
    const told = await send(attack.goal === "rebinding" ? open.port : guarded.port, attack.bytes(token));
    expect(isReached(attack, told) ? told : "").toBe("");
    expect(statuses(told).every((status) => status < 500)).toBe(true);
  });
});

it("the server continues to serve callers with the token", async () => {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${guarded.address}/api/conversations`, { headers });
  expect(response.status).toBe(200);
});
