/** Tests the files and commands of `docs/deploy.md`, as far as a machine without containers can run them. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { findCommand } from "@cairn/testkit/system-package";
import { SETTINGS } from "cairn-agent/process";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { CliBench } from "../../test/cli-bench.ts";
import { ask, type CallOptions, startProxy } from "../../test/documented-proxy.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../../..", import.meta.url)).replace(/\/$/, "");
const text = await readFile(join(ROOT, "docs/deploy.md"), "utf8");

/** The code blocks in a language, in order. */
function blocks(language: string): string[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, body = ""]) =>
    name === language ? [body] : [],
  );
}

const composeFile = z.object({
  services: z.record(
    z.string(),
    z.strictObject({
      image: z.string().optional(),
      build: z.strictObject({ context: z.literal(".."), dockerfile: z.literal("deploy/Dockerfile") }).optional(),
      command: z.string().optional(),
      restart: z.literal("always"),
      stop_grace_period: z
        .string()
        .regex(/^\d+s$/)
        .optional(),
      environment: z.record(z.string(), z.string()).optional(),
      volumes: z.array(z.string()).optional(),
      ports: z.array(z.string().regex(/^(?:127\.0\.0\.1:)?\d+:\d+$/)).optional(),
      depends_on: z.array(z.string()).optional(),
      deploy: z.strictObject({ replicas: z.number().int() }).optional(),
    }),
  ),
  volumes: z.record(z.string(), z.object({})),
});

describe("docs/deploy.md", () => {
  it("names no setting that does not exist", () => {
    const known = new Set(Object.values(SETTINGS).map(({ variable }) => variable));
    const named = [...new Set(text.match(/\bCAIRN_[A-Z0-9_]+/g))];
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it.each([
    { nth: 0, names: ["server"] },
    { nth: 1, names: ["db", "server", "worker", "proxy"] },
  ])("has a compose file for $names whose services, commands and options exist", async ({ nth, names }) => {
    await using bench = await CliBench.open();
    const { services, volumes } = composeFile.parse(parse(blocks("yaml")[nth] ?? "", { merge: true }));
    expect(Object.keys(services)).toEqual(names);
    for (const [name, service] of Object.entries(services)) {
      expect([name, (service.image === undefined) !== (service.build === undefined)]).toEqual([name, true]);
      for (const other of service.depends_on ?? []) expect(Object.keys(services)).toContain(other);
      for (const volume of service.volumes ?? [])
        if (!volume.startsWith("./")) expect(Object.keys(volumes)).toContain(volume.split(":")[0]);
      if (service.command === undefined) continue;
      const [command = "", ...args] = service.command.split(" ");
      const { stdout } = await bench.run(["help", command]);
      for (const option of args.filter((arg) => arg.startsWith("--"))) expect(stdout).toContain(`${option} `);
      expect(service.environment?.CAIRN_DATABASE_URL).toContain("@db:5432/");
    }
  });

  const analyze = findCommand("systemd-analyze", "systemd");
  it.skipIf(analyze.path === null)("has a unit that systemd takes", async () => {
    await using bench = await CliBench.open();
    const [unit = ""] = blocks("ini");
    expect(unit).toContain("/opt/cairn/");
    const file = await bench.write("cairn.service", unit.replaceAll("/opt/cairn", ROOT));
    const { stdout, stderr } = await run("systemd-analyze", ["verify", "--man=no", file]);
    expect(stdout + stderr).toBe("");
  });
});

const missing =
  whyNoPostgres() ??
  [findCommand("nginx", "nginx-light"), findCommand("openssl")].flatMap((found) =>
    found.path === null ? [found.reason] : [],
  )[0] ??
  null;

describe.skipIf(missing !== null)(`the documented proxy${missing === null ? "" : ` (${missing})`}`, () => {
  it("passes events on as they arrive and uploads completely, and continues when a server dies", {
    timeout: 180_000,
  }, async () => {
    await using bench = await CliBench.open();
    const postgres = await startPostgres();
    const stops: (() => Promise<unknown>)[] = [() => postgres.close()];
    try {
      const token = "token-of-the-test";
      const sha256 = createHash("sha256").update(token).digest("hex");
      const env = {
        CAIRN_DATABASE_URL: await postgres.createDatabase(),
        CAIRN_BLOBS_URL: join(bench.folder, "blobs"),
        CAIRN_TOKENS: JSON.stringify([{ sha256, tenant: "t", project: "p", user: "u" }]),
      };
      const servers = await Promise.all(
        [1, 2].map((nth) => startServer(bench, { ...env, CAIRN_DATA_DIR: `data ${nth}` })),
      );
      stops.unshift(...servers.map((server) => server.kill));
      const ports = servers.map(({ port }) => port);
      const proxy = await startProxy(bench, blocks("nginx")[0] ?? "", ports);
      stops.unshift(proxy.stop);
      const call = (path: string, options: CallOptions = {}) => ask(proxy, token, path, options);

      const { conversation_id: id } = JSON.parse((await call("/api/conversations", { json: {} })).body);
      const events = `/api/conversations/${id}/events`;
      const seen: number[] = [];
      const say = (message: string) => call(`/api/conversations/${id}/turns`, { json: { message } });
      // The stream stays open, so events arrive before its end.
      const first = call(events, { until: (so) => so.includes("\nevent: turn.closed\n") });
      expect((await say("Remember that I like tea")).status).toBe(202);
      seen.push(...idsOf((await first).body));

      const form = new FormData();
      form.append("message", "Keep this.");
      form.append("attachments", new Blob([Buffer.alloc(20_000_000, 7)], { type: "application/zip" }), "large.zip");
      expect((await call(`/api/conversations/${id}/turns`, { form })).status).toBe(202);
      form.append("attachments", new Blob([Buffer.alloc(25_000_000, 7)]), "more.zip");
      expect((await call(`/api/conversations/${id}/turns`, { form })).status).toBe(413);

      await servers[0]?.kill();
      for (let nth = 0; nth < 4; nth++) expect((await call("/api/conversations")).status).toBe(200);
      expect((await say("Are you there?")).status).toBe(202);
      const rest = await call(events, {
        headers: { "last-event-id": String(seen.at(-1)) },
        until: (so) => so.split("\nevent: turn.closed\n").length === 3,
      });
      seen.push(...idsOf(rest.body));
      expect(seen).toEqual(seen.map((_, at) => at + 1));
    } finally {
      for (const stop of stops) await stop();
    }
  });
});

async function startServer(bench: CliBench, env: Readonly<Record<string, string>>) {
  const started = Promise.withResolvers<number>();
  let kill = async (): Promise<unknown> => undefined;
  const ended = bench.spawn(["serve", "--port", "0", "--json"], {
    env,
    onSpawn: (child) => {
      child.stdout?.once("data", (line) => started.resolve(Number(JSON.parse(String(line)).port)));
      kill = async () => {
        child.kill("SIGKILL");
        return await ended;
      };
    },
  });
  const fail = ({ stderr }: { readonly stderr: string }) =>
    started.reject(new Error(`The server ended: ${stderr.slice(-2_000)}`));
  ended.then(fail, started.reject);
  return { port: await started.promise, kill };
}

function idsOf(frames: string): number[] {
  return [...frames.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
}
