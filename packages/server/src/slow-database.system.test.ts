/**
 * Tests a PostgreSQL whose statements hang. Requests get an error with a code, no acknowledged message is lost, and the
 * server continues when the statements do.
 */
import { openPool } from "@cairn/store/postgres";
import { startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { describe, expect, it } from "vitest";
import { ServerBench } from "../test/server-bench.ts";

const missing = whyNoPostgres();
/** While this lock is held, all statements that need the table hang. */
const LOCKED = ["events", "conversations"];

describe.skipIf(missing !== null)(`a slow database${missing === null ? "" : ` (${missing})`}`, () => {
  it.each(LOCKED)("whose table %s hangs delays requests, and loses nothing", { timeout: 300_000 }, async (table) => {
    await using undo = new AsyncDisposableStack();
    const postgres = undo.adopt(await startPostgres({ sync: false }), (server) => server.close());
    const url = await postgres.createDatabase();
    const bench = undo.use(await ServerBench.open({ settings: { CAIRN_DATABASE_URL: url, CAIRN_BLOBS_URL: "blobs" } }));
    const id = await bench.converse();
    await bench.say(id, "Hello");
    const { pool, end } = openPool({ connectionString: url }, () => undefined);
    undo.defer(end);

    const client = await pool.connect();
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const send = (path: string, body?: object) =>
      bench.fetch(
        path,
        body === undefined
          ? {}
          : {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify(body),
            },
      );
    const messages = Array.from({ length: 12 }, (_, nth) => `Message ${nth}`);
    const said = messages.map(async (message) => {
      const response = await send(`/api/conversations/${id}/turns`, { message });
      return { message, status: response.status, answer: JSON.parse(await response.text()) };
    });
    const paths = ["/api/conversations", `/api/conversations/${id}`, `/api/conversations/${id}/blocks`, "/healthz"];
    const read = paths.map(async (path) => (await send(path)).status);
    const answered = await Promise.all(said);
    for (const status of await Promise.all(read)) expect([200, 503]).toContain(status);
    for (const { status, answer } of answered)
      if (status !== 202) expect([status, typeof answer.error.code]).toEqual([503, "string"]);
    expect(answered.some(({ status }) => status === 503)).toBe(true);
    await client.query("COMMIT");
    client.release();

    await bench.say(id, "And now?");
    const { turns } = await bench.get(`/api/conversations/${id}?limit=100`);
    const prompts = turns.map(({ prompt }: { readonly prompt: { readonly text: string } }) => prompt.text);
    for (const { message, status } of answered) if (status === 202) expect(prompts).toContain(message);
    expect(new Set(prompts).size).toBe(prompts.length);
  });
});
