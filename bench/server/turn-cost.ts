/**
 * Measures turns: how many a second, how soon the first event arrives, and how long text takes from the model to a
 * follower.
 */
import { now } from "./instant-model.ts";
import type { MeasuredServer } from "./measured-server.ts";
import { percentile, type ServerResult } from "./server-result.ts";

/** One conversation with a follower that reads everything. */
class WatchedConversation {
  readonly #server: MeasuredServer;
  readonly #id: string;
  readonly #times: Times;
  #closed: (() => void) | null = null;
  #sentAt = 0;
  #waitsForFirst = false;
  #rest = "";

  private constructor(server: MeasuredServer, id: string, times: Times) {
    this.#server = server;
    this.#id = id;
    this.#times = times;
  }

  static async open(server: MeasuredServer, times: Times): Promise<WatchedConversation> {
    const { conversation_id } = await server.post("/api/conversations", {});
    const watched = new WatchedConversation(server, conversation_id, times);
    await server.follow(`/api/conversations/${conversation_id}/events`, (text) => watched.#read(text));
    return watched;
  }

  async turn(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#closed = resolve;
    });
    this.#sentAt = now();
    this.#waitsForFirst = true;
    await this.#server.post(`/api/conversations/${this.#id}/turns`, { message: "Hello" });
    await ended;
    this.#times.turns.push(now() - this.#sentAt);
  }

  #read(text: string): void {
    const arrived = now();
    const whole = this.#rest + text;
    const end = whole.lastIndexOf("\n\n") + 2;
    this.#rest = end < 2 ? whole : whole.slice(end);
    for (const frame of end < 2 ? [] : whole.slice(0, end).split("\n\n")) this.#readFrame(frame, arrived);
  }

  #readFrame(frame: string, arrived: number): void {
    if (frame.startsWith("id: ") && this.#waitsForFirst) {
      this.#waitsForFirst = false;
      this.#times.first.push(arrived - this.#sentAt);
    }
    const written = /^event: stream\.delta\n.*"text":"([\d.]+) "/.exec(frame)?.[1];
    if (written !== undefined) this.#times.delivery.push(arrived - Number(written));
    if (frame.includes("\nevent: turn.closed\n")) this.#closed?.();
  }
}

interface Times {
  readonly turns: number[];
  readonly first: number[];
  readonly delivery: number[];
}

export async function measureTurns(
  server: MeasuredServer,
  { turns, conversations }: { readonly turns: number; readonly conversations: number },
): Promise<readonly ServerResult[]> {
  const alone: Times = { turns: [], first: [], delivery: [] };
  const one = await WatchedConversation.open(server, alone);
  for (let n = 0; n < Math.min(20, turns); n++) await one.turn();
  alone.turns.length = alone.first.length = alone.delivery.length = 0;
  for (let n = 0; n < turns; n++) await one.turn();

  const many: Times = { turns: [], first: [], delivery: [] };
  const watched = await Promise.all(
    Array.from({ length: conversations }, () => WatchedConversation.open(server, many)),
  );
  const started = now();
  const workBefore = await server.work();
  await Promise.all(
    watched.map(async (conversation) => {
      for (let n = 0; n < turns; n++) await conversation.turn();
    }),
  );
  const seconds = (now() - started) / 1000;
  const work = (await server.work()) - workBefore;
  const of = (who: string, times: Times): ServerResult[] => [
    { name: `turn, ${who}, median`, value: percentile(times.turns, 0.5), unit: "ms" },
    { name: `first event, ${who}, median`, value: percentile(times.first, 0.5), unit: "ms" },
    { name: `event delivery, ${who}, median`, value: percentile(times.delivery, 0.5), unit: "ms" },
    { name: `event delivery, ${who}, p99`, value: percentile(times.delivery, 0.99), unit: "ms" },
  ];
  return [
    {
      name: `turns, ${conversations} conversations at once`,
      value: (turns * conversations) / seconds,
      unit: "turns/s",
    },
    { name: "processor time of a turn", value: work / (turns * conversations), unit: "ms" },
    ...of("alone", alone),
    ...of(`${conversations} at once`, many),
  ];
}
