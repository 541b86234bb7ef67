/** Idle followers: the cost of each, and whether all of them are notified of an event. */
import { MeasuredServer } from "./measured-server.ts";
import type { ServerResult } from "./server-result.ts";

const KB = 1_024;

export async function measureFollowers(
  folder: string,
  bareFolder: string,
  followers: number,
): Promise<readonly ServerResult[]> {
  const bare = await bareCost(bareFolder, followers);
  await using server = await MeasuredServer.start("cairn", folder);
  const { conversation_id: shared } = await server.post("/api/conversations", {});
  await server.post(`/api/conversations/${shared}/turns`, { message: "Hello" });
  const start = (await server.memory()).rss;

  let told = 0;
  const together = await joinAll(
    server,
    followers,
    () => `/api/conversations/${shared}/events?after=1000000`,
    () => {
      told++;
    },
  );
  const perFollower = ((await server.memory()).rss - start) / followers;
  const before = told;
  const asked = performance.now();
  await server.post(`/api/conversations/${shared}/turns`, { message: "Wake up" });
  while (told < before + followers) await new Promise((resolve) => setTimeout(resolve, 5));
  const wakeMs = performance.now() - asked;
  for (const { leave } of together) leave();

  const ids: string[] = [];
  for (let n = 0; n < followers; n++) ids.push((await server.post("/api/conversations", {})).conversation_id);
  const idle = (await server.memory()).rss;
  await joinAll(
    server,
    followers,
    (n) => `/api/conversations/${ids[n]}/events`,
    () => undefined,
  );
  const perConversation = ((await server.memory()).rss - idle) / followers;
  return [
    { name: "idle followers", value: followers, unit: "count" },
    { name: "followers of one conversation, all told of a turn after", value: wakeMs, unit: "ms" },
    { name: "memory per follower", value: perFollower / KB, unit: "KB" },
    { name: "memory per open conversation with its follower", value: perConversation / KB, unit: "KB" },
    { name: "memory per idle stream of the bare framework", value: bare / KB, unit: "KB" },
  ];
}

async function bareCost(folder: string, followers: number): Promise<number> {
  await using server = await MeasuredServer.start("bare", folder);
  await server.post("/echo", {});
  const start = (await server.memory()).rss;
  await joinAll(
    server,
    followers,
    () => "/events",
    () => undefined,
  );
  return ((await server.memory()).rss - start) / followers;
}

/** Followers connect a hundred at a time, because the listen queue of a socket is not longer. */
async function joinAll(
  server: MeasuredServer,
  count: number,
  pathOf: (n: number) => string,
  onTold: () => void,
): Promise<readonly { readonly leave: () => void }[]> {
  const joined = [];
  for (let n = 0; n < count; n += 100) {
    const some = Array.from({ length: Math.min(100, count - n) }, (_, index) =>
      server.follow(pathOf(n + index), (text) => {
        if (text.includes("event: stream.ended")) onTold();
      }),
    );
    joined.push(...(await Promise.all(some)));
  }
  return joined;
}
