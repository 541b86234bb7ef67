/**
 * Tests the queue of a cluster over a real PostgreSQL: what happens when a process, a connection or the database fails.
 */
import { type PostgresServer, SilentLine, startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { CairnError } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, answered, atOnce, hear, held, QueueBench, say, until } from "../../../test/queue-bench.ts";
import { afterFailure } from "../after-failure.ts";
import { LostTurns } from "./lost-turns.ts";
import { TurnJobs } from "./turn-jobs.ts";

const missing = whyNoPostgres();

let postgres: PostgresServer;
beforeAll(async () => {
  if (missing === null) postgres = await startPostgres({ sync: false });
});
afterAll(() => postgres?.close());

describe.skipIf(missing !== null)(
  `the queue of a cluster that fails${missing === null ? "" : ` (${missing})`}`,
  { timeout: 300_000 },
  () => {
    it("finds a message whose server died before it could enqueue it, and two sweeps at once enqueue it once", async () => {
      await using bench = await QueueBench.open(postgres);
      const idle = await bench.member(atOnce, { concurrency: 0 });
      const keys = await Promise.all(Array.from({ length: 5 }, () => bench.converse(idle)));
      // The process sweeps for lost conversations when it starts.
      await idle.queue.drain(0);
      for (const key of keys) await hear(idle, key, "unheard");
      const sweeps = [1, 2].map(
        () =>
          new LostTurns({ unfinished: () => idle.store.unfinished(), jobs: new TurnJobs(bench.jobs), now: () => 0 }),
      );
      await Promise.all(sweeps.map((sweep) => sweep.offer()));
      const { rows } = await bench.jobs.query("SELECT count(*)::int AS jobs FROM graphile_worker.jobs");
      expect(rows).toEqual([{ jobs: 5 }]);
      // A conversation that waits for a person does not change. No process enqueues it again and again.
      await bench.jobs.query("DELETE FROM graphile_worker._private_jobs");
      await sweeps[0]?.offer();
      await bench.jobs.query("DELETE FROM graphile_worker._private_jobs");
      expect(await sweeps[0]?.offer()).toEqual([]);

      const ran: string[] = [];
      const worker = await bench.member(
        async (message) => {
          ran.push(message);
        },
        { sweepMs: 100 },
      );
      for (const key of keys) await until(async () => (await answered(worker, key)).length === 1);
      expect(ran).toHaveLength(5);
    });

    it("enqueues conversations again that no worker took, less and less often", async () => {
      await using bench = await QueueBench.open(postgres);
      const idle = await bench.member(atOnce, { concurrency: 0 });
      const key = await bench.converse(idle);
      // The process sweeps for lost conversations when it starts.
      await idle.queue.drain(0);
      await hear(idle, key, "unheard");
      let seconds = 0;
      const now = () => seconds * 1_000;
      const sweep = new LostTurns({ unfinished: () => idle.store.unfinished(), jobs: new TurnJobs(bench.jobs), now });
      const offeredAt: number[] = [];
      for (; seconds <= 3_600; seconds += 15) {
        if ((await sweep.offer()).length > 0) offeredAt.push(seconds);
        await bench.jobs.query("DELETE FROM graphile_worker._private_jobs");
      }
      expect(offeredAt.slice(0, 4)).toEqual([0, 15, 45, 105]);
      const pauses = offeredAt.slice(1).map((at, nth) => at - (offeredAt[nth] ?? 0));
      expect(Math.max(...pauses)).toBe(600);
    });

    it("runs a turn whose job was taken by a worker that never received it, because its connection broke", async () => {
      await using bench = await QueueBench.open(postgres);
      const through = new URL(bench.database);
      await using line = await SilentLine.open(Number(through.port));
      through.port = String(line.port);
      const begun: string[] = [];
      const answer: Answer = async (message) => void begun.push(message);
      const member = await bench.member(answer, { database: through.href, sweepMs: 200 });
      const lost =
        "SELECT 1 FROM graphile_worker._private_jobs WHERE locked_at < now() - interval '1 second' AND key IS NOT NULL";
      let isLost = false;
      for (let nth = 0; !isLost; nth++) {
        const key = await bench.converse(member);
        // The answer to a query for jobs may be lost without a job in it. The test then sends another message.
        line.breakAfter("get_job");
        await say(member, key, `message ${nth}`);
        await until(async () => {
          isLost = !begun.includes(`message ${nth}`) && (await bench.jobs.query(lost)).rowCount === 1;
          return isLost || (await answered(member, key)).length === 1;
        });
        if (!isLost) continue;
        // Simulates that ten seconds have passed, in which the worker that took the job should have got the lease.
        await bench.jobs.query(
          "UPDATE graphile_worker._private_jobs SET locked_at = locked_at - interval '10 seconds'",
        );
        await until(async () => (await answered(member, key)).length === 1);
        expect(begun.filter((message) => message === `message ${nth}`)).toHaveLength(1);
      }
    });

    it("continues by itself after a restart of PostgreSQL, even in the middle of a turn", async () => {
      const own = await startPostgres();
      try {
        await using bench = await QueueBench.open(own);
        const turn = held();
        const member = await bench.member(turn.answer, { concurrency: 1 });
        const [before, after] = [await bench.converse(member), await bench.converse(member)];
        await say(member, before, "before");
        await until(() => turn.begun.length === 1);
        await own.kill();
        turn.release();
        // The end of the turn cannot be stored now. It is tried again until the database is back.
        await until(() => member.log.some((line) => line.includes("A turn failed to run.")));
        await own.start();
        await until(async () => (await answered(member, before)).length === 1);
        await own.stop();
        await own.start();
        await say(member, after, "after");
        await until(async () => (await answered(member, after)).length === 1);
      } finally {
        await own.close();
      }
    });

    it("enqueues conversations again that the database did not accept, without a sweep", async () => {
      await using bench = await QueueBench.open(postgres);
      const member = await bench.member(atOnce);
      const key = await bench.converse(member);
      await bench.jobs.query("ALTER TABLE graphile_worker._private_jobs RENAME TO away");
      await say(member, key, "unheard");
      expect(member.log.filter((line) => line.includes("retrying"))).not.toEqual([]);
      await bench.jobs.query("ALTER TABLE graphile_worker.away RENAME TO _private_jobs");
      await until(async () => (await answered(member, key)).length === 1);
    });

    it("takes jobs again after the end of one could not be reported to the database", async () => {
      await using bench = await QueueBench.open(postgres);
      const turn = held();
      const member = await bench.member(turn.answer);
      const [first, second] = [await bench.converse(member), await bench.converse(member)];
      await say(member, first, "first");
      await until(() => turn.begun.length === 1);
      await bench.jobs.query("ALTER TABLE graphile_worker._private_jobs RENAME TO away");
      turn.release();
      await until(() => member.log.some((line) => line.includes("being restarted")));
      await bench.jobs.query("ALTER TABLE graphile_worker.away RENAME TO _private_jobs");
      await say(member, second, "second");
      await until(async () => (await answered(member, second)).length === 1);
      expect(await answered(member, first)).toEqual(["first"]);
      // A conversation that the database does not know is released, and is processed after another check.
      await until(async () => (await bench.jobs.query("SELECT 1 FROM graphile_worker.jobs")).rows.length === 0);
      expect(turn.begun).toEqual(["first", "second"]);
    });

    it("takes jobs after the database rejected the first query of the workers and then recovered", async () => {
      await using bench = await QueueBench.open(postgres);
      const idle = await bench.member(atOnce, { concurrency: 0 });
      await bench.jobs.query("ALTER TABLE graphile_worker._private_tasks RENAME TO away");
      const member = await bench.member(atOnce);
      await until(() => member.log.filter((line) => line.includes("being restarted")).length > 1);
      await bench.jobs.query("ALTER TABLE graphile_worker.away RENAME TO _private_tasks");
      const key = await bench.converse(idle);
      await say(idle, key, "at last");
      await until(async () => (await answered(idle, key)).length === 1);
    });

    it("takes the jobs of a worker without heartbeats, and leaves no job behind", async () => {
      await using bench = await QueueBench.open(postgres);
      const member = await bench.member(atOnce);
      const key = await bench.converse(member);
      await member.queue.drain(0);
      // A worker has taken the job and then stopped, without a lease.
      await hear(member, key, "left behind");
      await new TurnJobs(bench.jobs).offer({ key, failures: 0 });
      const taken =
        "UPDATE graphile_worker._private_jobs SET locked_by = 'gone', locked_at = now() - interval '5 seconds'";
      await bench.jobs.query(taken);
      const other = await bench.member(atOnce);
      await until(async () => (await answered(other, key)).length === 1);
      await until(async () => (await bench.jobs.query("SELECT 1 FROM graphile_worker.jobs")).rows.length === 0);
    });

    it("never gives up a turn, and retries it within half a minute", async () => {
      await using bench = await QueueBench.open(postgres);
      let failures = 0;
      const member = await bench.member(async () => {
        if (++failures <= 3) throw new CairnError("full", "No space left.");
      });
      const key = await bench.converse(member);
      await say(member, key, "at last");
      await until(async () => (await answered(member, key)).length === 1);
      expect(failures).toBe(4);
      const pauses = [1, 2, 10, 100, 1_000_000].map((nth) => afterFailure(new CairnError("io", "Away."), nth));
      for (const after of pauses) expect(after).toMatchObject({ kind: "failed", againMs: expect.any(Number) });
      expect(Math.max(...pauses.map((after) => (after.kind === "failed" ? after.againMs : 0)))).toBe(30_000);
    });
  },
);
