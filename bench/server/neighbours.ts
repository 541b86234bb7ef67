/**
 * Two tenants at one server with the default limits. One of them is hostile (`hostile-tenant.ts`). The benchmark
 * measures how much slower the other one is. Phases with and without the hostile tenant alternate, so that other work
 * on the machine affects both.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { now } from "./instant-model.ts";
import type { LoopWait } from "./loop-time.ts";
import { MeasuredServer } from "./measured-server.ts";
import { percentile, type ServerResult } from "./server-result.ts";
import { Tenant } from "./tenant.ts";
import { TOKENS } from "./two-tenants.ts";

const HOSTILE = fileURLToPath(new URL("hostile-tenant.ts", import.meta.url));
/** The first burst of the hostile tenant is allowed, so only the rate after it counts. */
const SETTLED_MS = 6_000;
/** Turns of the first measurements, which do not count. */
const WARM = 20;
/**
 * Number of requests after each turn, with a pause after each: about a second in all, like a person who never stops to
 * think.
 */
const REQUESTS = 10;
const PAUSE_MS = 100;
/** Seconds for which the hostile tenant is served alone at the beginning. */
const ALONE_MS = 5_000;

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
        // The pauses vary, because a fixed rhythm could match one of the server's.
        await sleep(PAUSE_MS * (0.5 + Math.random()));
      }
    }
    return { turns, requests };
  }
}

class HostileTenant implements Disposable {
  readonly #child;
  /** Rejects when the process ends. */
  readonly #ended: Promise<never>;

  constructor(address: string) {
    this.#child = fork(HOSTILE, [address], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    this.#child.on("error", (error) => console.error(error));
    this.#ended = once(this.#child, "exit").then(() => {
      throw new Error("The process of the hostile tenant ended.");
    });
    this.#ended.catch(() => undefined); // No caller waits for the process after its last answer.
  }

  async tell(what: "attack" | "rest" | "count"): Promise<{ readonly served: number; readonly refused: number }> {
    this.#child.send(what);
    const [message] = await Promise.race([once(this.#child, "message"), this.#ended]);
    return message;
  }

  [Symbol.dispose](): void {
    this.#child.kill("SIGKILL");
  }
}

/** Rounds of `times` turns alone and as many beside the hostile tenant. `tell` is called at the beginning of each step. */
export async function measureNeighbours(
  folder: string,
  times: number,
  rounds: number,
  tell: (step: string) => void,
): Promise<readonly ServerResult[]> {
  await using server = await MeasuredServer.start("tenants", folder);
  using tenant = new Tenant(server.address, TOKENS.polite);
  using hostile = new HostileTenant(server.address);
  tell("the hostile tenant without a neighbour");
  const servedAlone = await serveAlone(hostile);
  tell("until the turns of the hostile tenant have ended");
  await untilIdle(tenant);
  tell(`${WARM} turns that do not count`);
  const polite = await PoliteTenant.open(tenant);
  await polite.measure(WARM);
  const measured: { readonly alone: Times; readonly beside: Times }[] = [];
  const waits: { readonly alone: LoopWait; readonly beside: LoopWait }[] = [];
  const hostileCounts = { served: 0, refused: 0, ms: 0 };
  for (let round = 0; round < rounds; round++) {
    tell(`round ${round + 1} of ${rounds}: until the turns of the hostile tenant have ended`);
    await untilIdle(tenant);
    tell(`round ${round + 1} of ${rounds}: ${times} turns alone`);
    await server.wait();
    const alone = await polite.measure(times);
    const aloneWait = await server.wait();
    tell(`round ${round + 1} of ${rounds}: ${times} turns beside the hostile tenant`);
    await hostile.tell("attack");
    await sleep(SETTLED_MS);
    const [before, began] = [await hostile.tell("count"), now()];
    await server.wait();
    const beside = await polite.measure(times);
    waits.push({ alone: aloneWait, beside: await server.wait() });
    const after = await hostile.tell("rest");
    hostileCounts.served += after.served - before.served;
    hostileCounts.refused += after.refused - before.refused;
    hostileCounts.ms += now() - began;
    measured.push({ alone, beside });
    const ratio = (which: keyof Times) => (percentile(beside[which], 0.95) / percentile(alone[which], 0.95)).toFixed(2);
    tell(
      `round ${round + 1} of ${rounds}: p95 beside / alone ${ratio("turns")} (turns), ${ratio("requests")} (requests)`,
    );
  }
  const median = (of: (each: (typeof waits)[number]) => number) => percentile(waits.map(of), 0.5);
  const perSecond = (count: number) => (1_000 * count) / hostileCounts.ms;
  return [
    ...of(
      "turn",
      measured.map(({ alone, beside }) => [alone.turns, beside.turns]),
    ),
    ...of(
      "request",
      measured.map(({ alone, beside }) => [alone.requests, beside.requests]),
    ),
    { name: "waits of more than 2 ms for the event loop, alone", value: median(({ alone }) => alone.over2), unit: "%" },
    {
      name: "waits of more than 2 ms for the event loop, beside",
      value: median(({ beside }) => beside.over2),
      unit: "%",
    },
    { name: "longest iteration of the event loop, alone", value: median(({ alone }) => alone.longest), unit: "ms" },
    { name: "longest iteration of the event loop, beside", value: median(({ beside }) => beside.longest), unit: "ms" },
    { name: "hostile tenant without a neighbour, served", value: servedAlone, unit: "requests/s" },
    { name: "hostile tenant with a neighbour, served", value: perSecond(hostileCounts.served), unit: "requests/s" },
    { name: "hostile tenant with a neighbour, refused", value: perSecond(hostileCounts.refused), unit: "requests/s" },
  ];
}

/** A tenant without neighbours has the whole process: only its rate of requests limits it. */
async function serveAlone(hostile: HostileTenant): Promise<number> {
  await hostile.tell("attack");
  await sleep(SETTLED_MS);
  const [before, began] = [await hostile.tell("count"), now()];
  await sleep(ALONE_MS);
  const { served } = await hostile.tell("rest");
  return (1_000 * (served - before.served)) / (now() - began);
}

/** The 95th percentiles of all rounds together, their ratio, and the median of the rounds' ratios. */
function of(name: string, rounds: readonly (readonly [alone: number[], beside: number[]])[]): readonly ServerResult[] {
  const p95 = (values: readonly number[]) => percentile(values, 0.95);
  const ratios = rounds.map(([alone, beside]) => p95(beside) / p95(alone));
  const all = (which: 0 | 1) => rounds.flatMap((round) => round[which]);
  return [
    { name: `${name}, p95, alone`, value: p95(all(0)), unit: "ms" },
    { name: `${name}, p95, beside a hostile tenant`, value: p95(all(1)), unit: "ms" },
    { name: `${name}, p95, beside / alone`, value: p95(all(1)) / p95(all(0)), unit: "ratio" },
    { name: `${name}, p95, beside / alone, median of the rounds`, value: percentile(ratios, 0.5), unit: "ratio" },
  ];
}

/** Waits until the hostile tenant's last turns are done. */
async function untilIdle(tenant: Tenant): Promise<void> {
  for (;;) {
    const [, text] = await tenant.send("GET", "/metrics");
    const counts = [...String(text).matchAll(/^cairn_turns_(?:running|waiting) (\d+)/gm)].map(([, count]) => count);
    if (counts.length === 2 && counts.every((count) => count === "0")) return;
    await sleep(200);
  }
}
