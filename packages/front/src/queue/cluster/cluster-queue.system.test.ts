/**
 * Tests the queue of a cluster over a real PostgreSQL. Each conversation runs in one process, in order, and users are
 * served round-robin.
 */
import { scopeKey } from "@cairn/store";
import { type PostgresServer, startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, answered, atOnce, held, QueueBench, say, until } from "../../../test/queue-bench.ts";
import { jobLogger } from "./job-log.ts";
import { openQueueDatabase } from "./queue-database.ts";
import { TurnJobs } from "./turn-jobs.ts";
import { TurnWorkers } from "./turn-workers.ts";

const missing = whyNoPostgres();

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

const noted = new WeakSet<object>();

/** Records the text, or the name, of every query of a connection. */
function noteQueries(client: object, asked: string[]): void {
  if (noted.has(client)) return;
  noted.add(client);
  const { query } = client as { query: (...given: unknown[]) => unknown };
  Object.assign(client, {
    query: (...given: unknown[]) => {
      const [what] = given;
      asked.push(typeof what === "string" ? what : JSON.stringify([Object(what).name, Object(what).text]));
      return query.apply(client, given);
    },
  });
}

let postgres: PostgresServer;
beforeAll(async () => {
  if (missing === null) postgres = await startPostgres({ sync: false });
});
afterAll(() => postgres?.close());

describe.skipIf(missing !== null)(
  `the queue of a cluster${missing === null ? "" : ` (${missing})`}`,
  { timeout: 300_000 },
  () => {
    it("runs a conversation's turns in order and one at a time, for any processes that offer and run them", async () => {
      await using bench = await QueueBench.open(postgres);
      const atWork = new Map<string, number>();
      let most = 0;
      const answer: Answer = async (message) => {
        const name = message.split(".")[0] ?? "";
        atWork.set(name, (atWork.get(name) ?? 0) + 1);
        most = Math.max(most, ...atWork.values());
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
        atWork.set(name, (atWork.get(name) ?? 0) - 1);
      };
      const [first, second, third] = [
        await bench.member(answer),
        await bench.member(answer),
        await bench.member(answer),
      ];
      const members = [first, second, third];
      const keys = await Promise.all(Array.from({ length: 6 }, () => bench.converse(first)));
      const messages = (nth: number) => Array.from({ length: 5 }, (_, turn) => `${nth}.${turn}`);
      await Promise.all(
        keys.map(async (key, nth) => {
          for (const [turn, message] of messages(nth).entries()) await say(members[turn % 3] ?? first, key, message);
        }),
      );
      for (const [nth, key] of keys.entries()) {
        await until(async () => (await answered(first, key)).length >= 5);
        expect(await answered(first, key)).toEqual(messages(nth));
      }
      expect(most).toBe(1);
    });

    it("runs again after an offer that came while it ran", async () => {
      await using bench = await QueueBench.open(postgres);
      const turn = held();
      const [one, two] = [await bench.member(turn.answer), await bench.member(turn.answer)];
      const key = await bench.converse(one);
      await say(one, key, "first");
      await until(() => turn.begun.length === 1);
      await say(two, key, "second");
      // Meanwhile, a worker has found that the lease is held and has postponed the job.
      await until(async () => {
        const { rows } = await bench.jobs.query("SELECT 1 FROM graphile_worker.jobs WHERE run_at > now()");
        return rows.length === 1;
      });
      expect(turn.begun).toEqual(["first"]);
      turn.release();
      await until(async () => (await answered(one, key)).length === 2);
      expect(await answered(one, key)).toEqual(["first", "second"]);
    });

    it("waits for turns that end in time when it is stopped, and leaves the others to other workers", async () => {
      await using bench = await QueueBench.open(postgres);
      const [brief, long] = [held(), held()];
      const one = await bench.member((message, signal) => (message === "brief" ? brief : long).answer(message, signal));
      const [first, second] = [await bench.converse(one), await bench.converse(one)];
      await say(one, first, "brief");
      await say(one, second, "long");
      await until(() => brief.begun.length + long.begun.length === 2);
      const stopping = one.queue.drain(2_000);
      brief.release();
      await expect(one.queue.admit(first)).rejects.toMatchObject({ code: "draining" });
      await stopping;
      expect(await answered(one, first)).toEqual(["brief"]);
      expect(await answered(one, second)).toEqual([]);
      const other = await bench.member(atOnce);
      await until(async () => (await answered(other, second)).length === 1);
    });

    it("knows the status of a conversation in every process, and reports it to followers", async () => {
      await using bench = await QueueBench.open(postgres);
      const turn = held();
      const server = await bench.member(atOnce, { concurrency: 0 });
      const key = await bench.converse(server);
      const status = async () => (await server.queue.status(key)).status;
      expect(await status()).toBe("idle");
      await say(server, key, "hello");
      expect(await status()).toBe("queued");
      await until(() => server.told.includes("c1 queued"));
      const worker = await bench.member(turn.answer);
      await until(() => server.told.includes("c1 running"));
      expect(await status()).toBe("running");
      expect([worker.queue.running, server.queue.running]).toEqual([1, 0]);
      turn.release();
      await until(() => server.told.at(-1) === "c1 idle");
      expect(await status()).toBe("idle");
    });

    it("accepts only as many conversations as may wait in the whole cluster, except those that already wait", async () => {
      await using bench = await QueueBench.open(postgres);
      const full = { concurrency: 0, limits: { user: 2, tenant: 2, total: Infinity } };
      const [one, two] = [await bench.member(atOnce, full), await bench.member(atOnce, full)];
      const keys = [await bench.converse(one), await bench.converse(one), await bench.converse(one)] as const;
      await say(one, keys[0], "a");
      await say(two, keys[1], "b");
      await until(
        async () => (await two.queue.admit(keys[2]).catch((error: unknown) => Object(error).code)) === "queue_full",
      );
      await until(
        async () => (await one.queue.admit(keys[2]).catch((error: unknown) => Object(error).code)) === "queue_full",
      );
      await one.queue.admit(keys[0]);
      await two.queue.admit(keys[0]);
      expect(two.queue.waiting).toBe(2);
      await two.queue.admit({ ...keys[2], tenant: "another" });
    });

    it("serves tenants in turn, and the users of a tenant in turn, even if one of them has much waiting", async () => {
      await using bench = await QueueBench.open(postgres);
      const began: string[] = [];
      const server = await bench.member(atOnce, { concurrency: 0 });
      const send = async (tenant: string, user: string, nth: number) => {
        const key = { tenant, project: "p", user, conversation: `${user}${nth}` };
        await server.store.createConversation(key);
        await say(server, key, `${user}${nth}`);
      };
      for (let nth = 0; nth < 6; nth++) await send("hostile", "h", nth);
      for (let nth = 0; nth < 2; nth++) await send("polite", "p", nth);
      await send("hostile", "colleague", 0);
      await bench.member(async (message) => void began.push(message), { concurrency: 1 });
      await until(() => began.length === 9);
      expect(began.slice(0, 5)).toEqual(["h0", "p0", "h1", "p1", "colleague0"]);
      expect(began.slice(5)).toEqual(["h2", "h3", "h4", "h5"]);
    });

    it("asks for jobs once in each interval while it is idle, for any number of free places", async () => {
      await using bench = await QueueBench.open(postgres);
      const database = await openQueueDatabase({
        url: bench.database,
        logger: jobLogger(quiet),
        onConnectionLost: () => undefined,
      });
      const asked: string[] = [];
      database.pool.on("acquire", (client) => noteQueries(client, asked));
      const ran: unknown[] = [];
      const workers = new TurnWorkers({
        database,
        concurrency: 8,
        free: () => 8,
        log: quiet,
        logger: jobLogger(quiet),
        skip: () => [],
        run: async (payload) => void ran.push(payload),
      });
      const looks = () => asked.filter((text) => text.includes("AS due")).length;
      const takes = () => asked.filter((text) => text.includes("get_job")).length;
      workers.start();
      await until(() => looks() >= 1 && takes() >= 8);
      const before = { looks: looks(), takes: takes() };
      await until(() => looks() >= before.looks + 3);
      expect(takes()).toBe(before.takes);
      // No worker is notified of a postponed job, but a worker still finds it.
      await new TurnJobs(database.pool).offer(
        { key: await bench.converse(await bench.member(atOnce, { concurrency: 0 })), failures: 0 },
        10,
      );
      await until(() => ran.length === 1);
      workers.stop();
      await workers.stopped();
      await database.close();
    });

    it("gives a user whose turns do not end no more places than the user's share, and the next place when a turn ends", async () => {
      await using bench = await QueueBench.open(postgres);
      const began: string[] = [];
      const turn = held();
      const shares = { user: 50, tenant: 75 };
      const worker = await bench.member(
        async (message, signal) => {
          began.push(message);
          if (message.startsWith("h")) await turn.answer(message, signal);
        },
        { concurrency: 4, shares },
      );
      const send = async (tenant: string, user: string, nth: number) => {
        const key = { tenant, project: "p", user, conversation: `${user}${nth}` };
        await worker.store.createConversation(key);
        await say(worker, key, `${user}${nth}`);
      };
      for (let nth = 0; nth < 6; nth++) await send("hostile", "h", nth);
      for (let nth = 0; nth < 3; nth++) await send("polite", "p", nth);
      await until(() => began.filter((message) => message.startsWith("p")).length === 3);
      expect(began.filter((message) => message.startsWith("h"))).toHaveLength(2);
      turn.release();
      await until(() => began.length === 9);
    });

    it("is created once by processes that start at the same time, and keeps equal names in different scopes apart", async () => {
      await using bench = await QueueBench.open(postgres);
      const members = await Promise.all(Array.from({ length: 5 }, () => bench.member(atOnce)));
      const [first] = members;
      if (first === undefined) throw new Error("There is none.");
      const long = "\u0000\u{1f980}".repeat(100);
      const keys = [
        { tenant: long, project: long, user: long, conversation: long },
        { tenant: "a", project: '","', user: "u", conversation: "c" },
        { tenant: 'a","', project: '"', user: "u", conversation: "c" },
      ];
      for (const key of keys) {
        await first.store.createConversation(key);
        await say(first, key, scopeKey(key));
      }
      for (const key of keys) {
        await until(async () => (await answered(first, key)).length === 1);
        expect(await answered(first, key)).toEqual([scopeKey(key)]);
      }
      // With one named queue for each conversation, a job would cost more the more conversations there are.
      const { rows } = await bench.jobs.query(
        "SELECT count(*)::int AS queues FROM graphile_worker._private_job_queues",
      );
      expect(rows).toEqual([{ queues: 0 }]);
    });
  },
);
