/** Tests workers as processes: they run messages that a server accepts, and one worker continues a turn of another. */
import { setTimeout as wait } from "node:timers/promises";
import { startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ClusterBench } from "../test/cluster/cluster-bench.ts";
import { SteadfastClient } from "../test/cluster/steadfast-client.ts";

const missing = whyNoPostgres();
const keyOf = (conversation: string) => ({ tenant: "local", project: "default", user: "me", conversation });

describe.skipIf(missing !== null)(
  `workers beside a server${missing === null ? "" : ` (${missing})`}`,
  {
    timeout: 600_000,
  },
  () => {
    let bench: ClusterBench;
    let client: SteadfastClient;
    beforeAll(async () => {
      const postgres = await startPostgres({ sync: false });
      const slow = { CAIRN_TEST_PIECE_MS: "500" };
      bench = await ClusterBench.start({ postgres, s3: null }, { servers: 1, workers: 2 }, slow);
      client = new SteadfastClient((nth) => bench.address(nth));
    }, 300_000);
    afterAll(() => bench?.[Symbol.asyncDispose]());

    const converse = async () => String((await client.post("/api/conversations", {})).conversation_id);
    const statusOf = async (id: string) =>
      JSON.parse(await (await fetch(`${bench.address(0)}/api/conversations/${id}`)).text()).conversation.status;

    async function follow(id: string, isLast: (event: string, data: ReturnType<typeof JSON.parse>) => boolean) {
      for await (const { event, data } of client.follow(id)) if (isLast(event, data)) break;
    }
    const isClosed = (event: string) => event === "turn.closed";
    const exitsOf = async (id: string) =>
      (await bench.store.turns(keyOf(id))).items.map(({ exit, closed_seq }) => (closed_seq === null ? "open" : exit));

    /** A conversation in which a tool has run and the answer is next, and the process that will answer. */
    async function catchAnswering() {
      for (;;) {
        const id = await converse();
        await client.say(id, "Please act", id);
        await follow(id, (event) => event === "call.settled");
        const worker = await bench.workerAt(keyOf(id));
        // On a busy machine, the turn may have ended before the test checks it.
        if (worker !== null) return { id, worker };
      }
    }

    it("a worker runs what a server without turns has accepted, and the server reports its status", async () => {
      const id = await converse();
      expect(await statusOf(id)).toBe("idle");
      const following = follow(id, (event, data) => event === "status" && data.status === "running");
      await client.say(id, "Please act", "one");
      await following;
      await follow(id, isClosed);
      for (let status = ""; status !== "idle"; await wait(50)) status = await statusOf(id);
      expect(await exitsOf(id)).toEqual(["complete"]);
    });

    it("a turn that needs approval waits for it in every process, and continues when it is given", async () => {
      const id = await converse();
      await client.say(id, "Please act, but ask first", "two");
      await follow(id, (event, data) => event === "status" && data.status === "waiting");
      expect(await statusOf(id)).toBe("waiting");
      const { state } = await bench.store.load(keyOf(id));
      const [[call, { hash }] = ["", { hash: "" }]] = state.approvalsRequested;
      await client.post(`/api/conversations/${id}/approvals/${call}`, { approve: true, hash });
      await follow(id, isClosed);
      expect(await exitsOf(id)).toEqual(["complete"]);
    });

    it("another worker continues the turn of one that was killed, and repeats no settled call", async () => {
      const { id, worker } = await catchAnswering();
      await bench.killWorker(bench.workers.findIndex(({ child }) => child === worker));
      await follow(id, isClosed);
      expect(await exitsOf(id)).toEqual(["complete"]);
      const events = await bench.store.readEvents(keyOf(id), { limit: 1_000 });
      const calls = events.flatMap(({ event }) => (event.kind === "call.settled" ? [Object(event.body).call_id] : []));
      expect(calls).toHaveLength(1);
      expect((await bench.effects()).filter((call) => call === calls[0])).toHaveLength(1);
    });

    it("a worker that was only slow does no harm to the turn that another one has taken over", async () => {
      const { id, worker } = await catchAnswering();
      worker.kill("SIGSTOP");
      try {
        await follow(id, isClosed);
      } finally {
        worker.kill("SIGCONT");
      }
      await client.say(id, "Please act again", "five");
      let closed = 0;
      await follow(id, (event) => isClosed(event) && ++closed === 2);
      expect(await exitsOf(id)).toEqual(["complete", "complete"]);
      expect(await bench.store.verifyConversation(keyOf(id))).toEqual([]);
      const effects = await bench.effects();
      expect(new Set(effects).size).toBe(effects.length);
    });
  },
);
