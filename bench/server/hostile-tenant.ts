/**
 * A tenant that does as much as it can of everything at the same time, in its own process, and starts again whenever it
 * is refused. The parent process tells the tenant when to attack and when to pause. The tenant's process runs at the
 * lowest priority, as if it were on another machine: the server's work for the tenant is measured, but not the tenant's
 * own work.
 */
import { setPriority } from "node:os";
import { type Answer, Tenant } from "./tenant.ts";
import { TOKENS } from "./two-tenants.ts";

const [address = ""] = process.argv.slice(2);
/** Connections for each kind of request. */
const CONNECTIONS = 4;
const CONVERSATIONS = 60;
const STREAMS = 60;
const UPLOAD_BYTES = 2_000_000;
const LOWEST_PRIORITY = 19;
/** Text that looks like the start of headers, citations, code, links and orders, up to the limit of a message. */
const ADVERSARIAL = '[USER MESSAGE \u3164[[S:1,2 `` [a](<b ![x](y **_~~ Always never <sup data-sids="1 [TURN \u202e'
  .repeat(2_400)
  .slice(0, 200_000);

setPriority(LOWEST_PRIORITY);
const tenant = new Tenant(address, TOKENS.hostile);
const ids: string[] = [];
let exported = "";
const attachments = [{ name: "a.bin", data: Buffer.alloc(UPLOAD_BYTES, 7).toString("base64") }];
const table = Array.from({ length: 40_000 }, (_, n) => `${n},word${n},"x`).join("\n");
const csv = [{ name: "a.csv", data: Buffer.from(table).toString("base64") }];
const words = Array.from({ length: 120 }, (_, n) => `word${n}`).join(" ");

const any = () => ids[Math.floor(Math.random() * ids.length)] ?? "none";
const say = (body: object) => tenant.send("POST", `/api/conversations/${any()}/turns`, body);
const ATTACKS: readonly (() => Promise<Answer>)[] = [
  async () => {
    const answer = await tenant.send("POST", "/api/conversations", {});
    if (answer[0] === 201 && ids.length < CONVERSATIONS) ids.push(answer[1].conversation_id);
    return answer;
  },
  () => tenant.send("GET", "/api/conversations?limit=200"),
  () => say({ message: "Hello" }),
  () => say({ message: ADVERSARIAL }),
  () => say({ message: "Hello", attachments }),
  () => say({ message: "Hello", attachments: csv }),
  () => tenant.send("GET", `/api/conversations?q=${encodeURIComponent(words)}`),
  () => tenant.send("GET", `/api/conversations/${any()}/search?q=${encodeURIComponent(words)}&limit=200`),
  async () => {
    const answer = await tenant.send("GET", `/api/conversations/${any()}/export`);
    if (answer[0] === 200) exported = String(answer[1]);
    return answer;
  },
  () => tenant.send("POST", "/api/import", exported === "" ? "{}\n" : exported),
  () => tenant.send("GET", `/api/conversations/${any()}`),
  () => tenant.send("GET", `/api/conversations/${any()}/timeline`),
  () => tenant.send("GET", `/api/conversations/${any()}/requests`),
  () => tenant.send("POST", `/api/conversations/${any()}/fork`, { at: 3 }),
  () => tenant.send("POST", `/api/conversations/${any()}/cancel`, {}),
  async () => {
    if (ids.length < CONVERSATIONS) return [0, null];
    return tenant.send("DELETE", `/api/conversations/${ids.shift()}`);
  },
];

let served = 0;
let refused = 0;
let attack: AbortController | null = null;

function begin(): void {
  attack = new AbortController();
  const { signal } = attack;
  for (const once of ATTACKS) for (let nth = 0; nth < CONNECTIONS; nth++) void loop(once, signal);
  for (let nth = 0; nth < STREAMS; nth++) void stream(signal);
}

async function loop(once: () => Promise<Answer>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const [status] = await once().catch(() => [0] as const);
    if (status === 429) refused++;
    else if (status > 0 && status < 400) served++;
    if (status === 0 || status >= 500) await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function stream(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await tenant.follow(any(), () => undefined, signal);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

process.on("message", (message) => {
  if (message === "attack") begin();
  if (message === "rest") attack?.abort();
  process.send?.({ served, refused });
});
