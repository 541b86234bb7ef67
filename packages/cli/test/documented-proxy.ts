/** nginx with the configuration of `docs/deploy.md` before test servers, and a client that trusts its certificate. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { CliBench } from "./cli-bench.ts";

const run = promisify(execFile);

export interface Proxy {
  readonly port: number;
  readonly certificate: string;
  readonly stop: () => Promise<unknown>;
}

/** nginx with the documented configuration, in which only addresses and paths are changed. */
export async function startProxy(bench: CliBench, documented: string, ports: readonly number[]): Promise<Proxy> {
  const place = (name: string) => join(bench.folder, name);
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", place("key.pem"), "-out", place("cert.pem")];
  await run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", ...subject, ...files]);
  const port = await freePort();
  const replace = (config: string, from: string, to: string) => {
    if (!config.includes(from)) throw new Error(`The documented configuration has no ${from}`);
    return config.replace(from, to);
  };
  let config = replace(documented, "server server:4310;", ports.map((each) => `server 127.0.0.1:${each};`).join(" "));
  config = replace(config, "listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`);
  config = replace(config, "/etc/nginx/tls/cert.pem", place("cert.pem"));
  config = replace(config, "/etc/nginx/tls/key.pem", place("key.pem"));
  await mkdir(place("nginx"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${place("nginx")}/${name};`,
  );
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const whole = `${user} worker_processes 1; pid ${place("nginx.pid")}; error_log ${place("nginx.log")}; events {} http { access_log off; ${temporary.join(" ")}\n${config}\n}`;
  const file = place("nginx.conf");
  await writeFile(file, whole);
  const args = ["-p", bench.folder, "-e", place("nginx.log"), "-c", file];
  await run("nginx", ["-t", ...args]);
  const child = spawn("nginx", [...args, "-g", "daemon off;"], { stdio: "ignore" });
  let failure: Error | null = null;
  child.on("error", (error) => {
    failure = error;
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  };
  const certificate = await readFile(place("cert.pem"), "utf8");
  const proxy = { port, certificate, stop };
  for (let look = 0; look < 200; look++) {
    const answered = await ask(proxy, "", "/healthz", {}).catch(() => null);
    if (answered?.status === 200) return proxy;
    await pause(50);
  }
  await stop();
  throw new Error(`nginx does not answer: ${failure ?? ""} ${await readFile(place("nginx.log"), "utf8")}`);
}

export interface CallOptions {
  readonly json?: unknown;
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** Reads an endless response; returns true when enough was read. */
  readonly until?: (body: string) => boolean;
}

export async function ask(
  { port, certificate }: Proxy,
  token: string,
  path: string,
  { json, form, headers = {}, until = () => false }: CallOptions,
): Promise<{ readonly status: number; readonly body: string }> {
  // The header is left out, because a form sets its own boundary.
  const spelled = form === undefined ? null : new Response(form);
  const content =
    json === undefined ? (spelled === null ? null : Buffer.from(await spelled.arrayBuffer())) : JSON.stringify(json);
  const type = json === undefined ? spelled?.headers.get("content-type") : "application/json";
  const sent = request({
    host: "127.0.0.1",
    servername: "localhost",
    port,
    path,
    ca: certificate,
    method: content === null ? "GET" : "POST",
    headers: {
      host: "localhost",
      authorization: `Bearer ${token}`,
      ...(type ? { "content-type": type } : {}),
      ...headers,
    },
  });
  const answered = once(sent, "response");
  // The server does not read a rejected body to its end.
  sent.on("error", () => undefined);
  sent.end(content ?? undefined);
  const [response] = await answered;
  let body = "";
  for await (const chunk of response.setEncoding("utf8")) {
    body += chunk;
    if (until(body)) break;
  }
  sent.destroy();
  return { status: response.statusCode, body };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
