/**
 * A soak: turns without a pause, in conversations that come and go, with followers that join and leave. Memory after
 * collection is measured when a fifth of the time is over and when four fifths are. The time begins when the server is
 * warm: until its code is compiled and its caches are full, memory grows whatever the server does.
 */
import { MeasuredServer } from "./measured-server.ts";
import type { ServerResult } from "./server-result.ts";

const AT_ONCE = 16;
/** Number of turns after which a conversation is replaced by a new one. */
const TURNS_EACH = 25;
const MB = 1_048_576;

export async function measureSoak(
  folder: string,
  seconds: number,
  warmTurns: number,
): Promise<readonly ServerResult[]> {
  await using server = await MeasuredServer.start("cairn", folder);
  let started: number | null = null;
  const progress = () => (started === null ? 0 : (performance.now() - started) / (seconds * 1_000));
  let turns = 0;
  let pause: Promise<void> | null = null;

  const talk = async () => {
    while (progress() < 1) {
      const { conversation_id: id } = await server.post("/api/conversations", {});
      let closed: () => void = () => undefined;
      const follower = await server.follow(`/api/conversations/${id}/events`, (text) => {
        if (text.includes("event: turn.closed")) closed();
      });
      for (let n = 0; n < TURNS_EACH && progress() < 1; n++) {
        await pause;
        const ended = new Promise<void>((resolve) => {
          closed = resolve;
        });
        await server.post(`/api/conversations/${id}/turns`, { message: `Hello ${n}` });
        await ended;
        if (++turns >= warmTurns) started ??= performance.now();
      }
      follower.leave();
    }
  };
  const look = async (share: number) => {
    while (progress() < share) await new Promise((resolve) => setTimeout(resolve, 50));
    const held = Promise.withResolvers<void>();
    pause = held.promise;
    // The turns that are running are allowed to end first.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const bytes = await server.memory();
    pause = null;
    held.resolve();
    return bytes;
  };
  const talking = Array.from({ length: AT_ONCE }, talk);
  const early = await look(0.2);
  const late = await look(0.8);
  await Promise.all(talking);
  return [
    { name: "soak: turns", value: turns, unit: "count" },
    { name: "soak: memory at 20 %", value: early.rss / MB, unit: "MB" },
    { name: "soak: memory at 80 %", value: late.rss / MB, unit: "MB" },
    { name: "soak: memory at 80 % / at 20 %", value: late.rss / early.rss, unit: "ratio" },
    { name: "soak: objects at 20 %", value: early.heap / MB, unit: "MB" },
    { name: "soak: objects at 80 %", value: late.heap / MB, unit: "MB" },
  ];
}
