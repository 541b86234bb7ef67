/** Tests many requests on many connections while the audit log cannot be written. No request waits for an answer. */
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AuditLine, openAudit, readSettings } from "cairn-agent/process";
import { expect, it } from "vitest";
import { newToken } from "../auth/tokens.ts";
import { startServer } from "../serve.ts";

const { token, entry } = newToken({ tenant: "t", project: "p", user: "u" });

/** An output that accepts lines, and confirms them only when the test says so. */
function stalled() {
  const waiting: (() => void)[] = [];
  let lines = 0;
  const write = (_: unknown, done?: unknown) => {
    lines++;
    if (typeof done === "function") waiting.push(() => done(null));
    return true;
  };
  const release = () => {
    for (const done of waiting.splice(0)) done();
  };
  return { output: { write }, lines: () => lines, waiting: () => waiting.length, release };
}

/** Number of requests on one connection. The server closes a connection with more. */
const ON_ONE_CONNECTION = 10;

async function flood(requests: number, headers: string, status: string) {
  const folder = await mkdtemp(join(tmpdir(), "cairn-flood-"));
  const stdout = stalled();
  const tokens = JSON.stringify([entry]);
  const env = { CAIRN_TOKENS: tokens, CAIRN_AUDIT: "stdout", CAIRN_PORT: "0", CAIRN_USER_REQUESTS: "1" };
  const settings = readSettings(null, env, folder);
  let seen = 0;
  const logTo = { write: (line: string) => (line.includes(`"status":${status}`) ? ++seen > 0 : true) };
  const server = await startServer({ settings, env: {}, logTo, stdout: stdout.output });
  try {
    let said = "";
    const sockets = Array.from({ length: requests / ON_ONE_CONNECTION }, () => {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("data", (chunk) => {
        said += String(chunk);
      });
      // The server may close the connection before all requests are sent.
      socket.on("error", () => undefined);
      const request = `GET /api/conversations HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}\r\n`;
      socket.write(request.repeat(ON_ONE_CONNECTION));
      return socket;
    });
    await expect.poll(() => seen).toBeGreaterThan(requests / 4);
    const pending = stdout.waiting();
    stdout.release();
    await expect.poll(() => said).toContain(`HTTP/1.1 ${status}`);
    for (const socket of sockets) socket.destroy();
    return { pending, lines: stdout.lines() };
  } finally {
    stdout.release();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

it("any number of pipelined requests without a token leaves one waiting line", async () => {
  expect(await flood(500, "", "401")).toEqual({ pending: 1, lines: 1 });
});

it("pipelined requests of a user beyond its rate leave a line for those that were served, and one for the others", async () => {
  const { pending } = await flood(300, `authorization: Bearer ${token}\r\n`, "429");
  // Three requests at once are within the rate, and then one each second. The test takes less than a minute.
  expect(pending).toBeLessThan(65);
});

it("a log that cannot be written holds a limited number of lines and refuses further ones", async () => {
  const { output, release } = stalled();
  const audit = await openAudit("stdout", output);
  const line = { method: "GET" } as AuditLine;
  const written = Array.from({ length: 10_000 }, () => audit.write(line));
  await expect(audit.write(line)).rejects.toThrow("10000 lines of the audit log are waiting");
  release();
  await Promise.all(written);
  const again = audit.write(line);
  release();
  await again;
});
