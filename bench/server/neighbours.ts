/**
 * Two tenants at one server with the default limits. One is hostile (`hostile-tenant.ts`). How much slower is the other?
 * Phases alone and beside the hostile tenant alternate, so that whatever else the machine does falls on both.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { now } from "./instant-model.ts";
import { MeasuredServer } from "./measured-server.ts";
import { percentile, type ServerResult } from "./server-result.ts";
import { Tenant } from "./tenant.ts";
import { TOKENS } from "./two-tenants.ts";

const HOSTILE = fileURLToPath(new URL("hostile-tenant.ts", import.meta.url));
/** Its first burst is allowed: only the rate after it counts. */
const SETTLED_MS = 6_000;
/** Turns of the first measurements, which do not count. */
const WARM = 20;
/** Requests after each turn, with a pause after each: about a second, as a person who never stops to think. */
const REQUESTS = 10;
const PAUSE_MS = 100;
const HIGH = -15;

interface Times {
  readonly turns: number[];
  readonly requests: number[];
}

/** Times of turns, from the message to their end, and of requests for the list of conversations. */
class PoliteTenant {
  readonly #tenant: Tenant;
  readonly #id: string;
  #closed: () => void = () => undefined;

  private constructor(tenant: Tenant, id: string) {
    this.#tenant = tenant;
    this.#id = id;
    let rest = "";
    void tenant.follow(id, (text) => {
      const frames = (rest + text).split("\n\n");
      rest = frames.pop() ?? "";
      if (frames.some((frame) => frame.includes("event: turn.closed\n"))) this.#closed();
    });
  }

  static async open(tenant: Tenant): Promise<PoliteTenant> {
    return new PoliteTenant(tenant, await tenant.converse());
  }

  async measure(times: number): Promise<Times> {
    const turns: number[] = [];
    const requests: number[] = [];
    for (let nth = 0; nth < times; nth++) {
      const ended = new Promise<void>((resolve) => {
        this.#closed = resolve;
      });
      const began = now();
      await this.#tenant.send("POST", `/api/conversations/${this.#id}/turns`, { message: "Hello" });
      await ended;
      turns.push(now() - began);
      for (let nth = 0; nth < REQUESTS; nth++) {
        const asked = now();
        await this.#tenant.send("GET", "/api/conversations");
        requests.push(now() - asked);
        // At no fixed rhythm, which could match one of the server's.
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + Math.random())));
      }
    }
    return { turns, requests };
  }
}

class HostileTenant implements Disposable {
  readonly #child;

  constructor(address: string) {
    this.#child = fork(HOSTILE, [address], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    this.#child.on("error", (error) => console.error(error));
  }

  async tell(what: "attack" | "rest"): Promise<{ readonly served: number; readonly refused: number }> {
    this.#child.send(what);
    const [message] = await once(this.#child, "message");
    return message;
  }

  [Symbol.dispose](): void {
    this.#child.kill("SIGKILL");
  }
}

/** Rounds of `times` turns alone and as many beside the hostile tenant. */
export async function measureNeighbours(
  folder: string,
  times: number,
  rounds: number,
): Promise<readonly ServerResult[]> {
  await using server = await MeasuredServer.start("tenants", folder);
  // Other programs of the machine matter less.
  if (process.getuid?.() === 0) for (const pid of [process.pid, server.pid]) setPriority(pid, HIGH);
  using tenant = new Tenant(server.address, TOKENS.polite);
  using hostile = new HostileTenant(server.address);
  const polite = await PoliteTenant.open(tenant);
  await polite.measure(WARM);
  const measured: { readonly alone: Times; readonly beside: Times }[] = [];
  const delays: number[] = [];
  let counts = { served: 0, refused: 0 };
  for (let round = 0; round < rounds; round++) {
    await untilIdle(tenant);
    const alone = await polite.measure(times);
    await hostile.tell("attack");
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    await server.delay();
    const beside = await polite.measure(times);
    delays.push((await server.delay()).most);
    counts = await hostile.tell("rest");
    measured.push({ alone, beside });
  }
  return [
    ...of(
      "turn",
      measured.map(({ alone, beside }) => [alone.turns, beside.turns]),
    ),
    ...of(
      "request",
      measured.map(({ alone, beside }) => [alone.requests, beside.requests]),
    ),
    { name: "longest pause of the server, median of the rounds", value: percentile(delays, 0.5), unit: "ms" },
    { name: "requests of the hostile tenant that were served", value: counts.served, unit: "count" },
    { name: "requests of the hostile tenant that were refused", value: counts.refused, unit: "count" },
  ];
}

/** The 95th percentiles of all rounds together, and the median of the rounds' ratios. */
function of(name: string, rounds: readonly (readonly [alone: number[], beside: number[]])[]): readonly ServerResult[] {
  const p95 = (values: readonly number[]) => percentile(values, 0.95);
  const ratios = rounds.map(([alone, beside]) => p95(beside) / p95(alone));
  const all = (which: 0 | 1) => rounds.flatMap((round) => round[which]);
  return [
    { name: `${name}, p95, alone`, value: p95(all(0)), unit: "ms" },
    { name: `${name}, p95, beside a hostile tenant`, value: p95(all(1)), unit: "ms" },
    { name: `${name}, p95, beside / alone`, value: percentile(ratios, 0.5), unit: "ratio" },
  ];
}

/** Waits until the hostile tenant's last turns are done. */
async function untilIdle(tenant: Tenant): Promise<void> {
  for (;;) {
    const [, text] = await tenant.send("GET", "/metrics");
    const counts = [...String(text).matchAll(/^cairn_turns_(?:running|waiting) (\d+)/gm)].map(([, count]) => count);
    if (counts.length === 2 && counts.every((count) => count === "0")) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
