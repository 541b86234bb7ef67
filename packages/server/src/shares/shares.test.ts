/** Tests limits with two tenants at one server: one exceeds a limit and is refused, and the other is not affected. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ServerBench } from "../../test/server-bench.ts";
import { newToken } from "../auth/tokens.ts";

const hostile = newToken({ tenant: "hostile", project: "p", user: "u" });
const polite = newToken({ tenant: "polite", project: "p", user: "u" });
let bench: ServerBench;

beforeAll(async () => {
  bench = await ServerBench.open({
    server: {
      tokens: JSON.stringify([hostile.entry, polite.entry]),
      concurrency: 0,
      userQueue: 2,
      uploadMb: 2,
      userRequests: 10,
      userFollowers: 2,
      userStorageMb: 2,
      tenantStorageMb: 3,
    },
  });
});
afterAll(() => bench[Symbol.asyncDispose]());

const bearer = ({ token }: { readonly token: string }) => ({ authorization: `Bearer ${token}` });
const converse = async (who: typeof hostile) =>
  String((await bench.post("/api/conversations", {}, bearer(who))).conversation_id);

async function send(who: typeof hostile, id: string, bytes = 0) {
  const attachments = bytes === 0 ? [] : [{ name: "a.bin", data: Buffer.alloc(bytes, id).toString("base64") }];
  const response = await bench.fetch(`/api/conversations/${id}/turns`, {
    method: "POST",
    headers: { ...bearer(who), "content-type": "application/json" },
    body: JSON.stringify({ message: "Hello", attachments }),
  });
  const { error } = await response.json();
  return [response.status, response.headers.get("retry-after"), error?.code ?? null, error?.details ?? null];
}

const taken = [202, null, null, null];

it("a user whose conversations fill the user's places in the queue gets an error, and other users do not", async () => {
  for (let nth = 0; nth < 2; nth++) expect(await send(hostile, await converse(hostile))).toEqual(taken);
  const details = { limit: "queue", of: "user", allowed: 2, held: 2, retry_after: 2 };
  expect(await send(hostile, await converse(hostile))).toEqual([429, "2", "busy", details]);
  expect(await send(polite, await converse(polite))).toEqual(taken);
});

it("a fork that sends its message again needs a place in the queue, as a message does", async () => {
  const { conversations } = await (await bench.fetch("/api/conversations", { headers: bearer(hostile) })).json();
  const id = conversations.find(({ last_seq }: { readonly last_seq: number }) => last_seq > 0).conversation_id;
  const body = JSON.stringify({ at: { turn_id: "turn_x", edge: "before" }, resend: true });
  const init = { method: "POST", headers: { ...bearer(hostile), "content-type": "application/json" }, body };
  const response = await bench.fetch(`/api/conversations/${id}/fork`, init);
  expect([response.status, (await response.json()).error]).toMatchObject([429, { details: { limit: "queue" } }]);
});

it("a user with too many open streams gets an error, other users do not, and a stream that ends makes room", async () => {
  const leave = new AbortController();
  const follow = async (who: typeof hostile, id: string) =>
    bench.fetch(`/api/conversations/${id}/events`, { headers: bearer(who), signal: leave.signal });
  const id = await converse(hostile);
  expect((await follow(hostile, id)).status).toBe(200);
  expect((await follow(hostile, id)).status).toBe(200);
  const refused = await follow(hostile, id);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
  expect((await refused.json()).error).toMatchObject({
    code: "over_share",
    details: { limit: "followers", of: "user" },
  });
  expect((await follow(polite, await converse(polite))).status).toBe(200);
  leave.abort();
  await expect
    .poll(
      async () =>
        (await bench.fetch(`/api/conversations/${id}/events`, { method: "HEAD", headers: bearer(hostile) })).status,
    )
    .toBe(200);
});

it("a user whose storage is full gets an error, may read and delete, and other users may write", async () => {
  const mine = await converse(polite);
  expect(await send(polite, mine, 1_500_000)).toEqual(taken);
  const [status, retry, code, details] = await send(polite, mine, 1_000_000);
  expect([status, retry, code]).toEqual([507, null, "storage_full"]);
  expect(details).toMatchObject({ limit: "storage", of: "user", allowed: 2_000_000 });
  expect((await bench.fetch(`/api/conversations/${mine}`, { headers: bearer(polite) })).status).toBe(200);
  const init = { method: "DELETE", headers: bearer(polite) };
  expect((await bench.fetch(`/api/conversations/${mine}`, init)).status).toBe(204);
});

it("a user who sends too many requests is told when to retry, and other users are not affected", async () => {
  const statuses = await Promise.all(
    Array.from({ length: 150 }, async () => (await bench.fetch("/api/meta", { headers: bearer(hostile) })).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  const refused = await bench.fetch("/api/meta", { headers: bearer(hostile) });
  if (refused.status === 429) expect(refused.headers.get("retry-after")).toBe("1");
  expect((await bench.fetch("/api/meta", { headers: bearer(polite) })).status).toBe(200);
});

it("a user who sends too many requests can still stop a turn, and stopping it often takes no room", async () => {
  const { conversations } = await (await bench.fetch("/api/conversations", { headers: bearer(polite) })).json();
  const waiting = conversations.find(({ last_seq }: { readonly last_seq: number }) => last_seq > 0);
  const path = `/api/conversations/${waiting.conversation_id}`;
  const flood = Array.from({ length: 60 }, () => bench.fetch("/api/meta", { headers: bearer(polite) }));
  const stop = async () => {
    const response = await bench.fetch(`${path}/cancel`, { method: "POST", headers: bearer(polite) });
    return [response.status, (await response.json()).seq];
  };
  const stopped = await Promise.all(Array.from({ length: 5 }, stop));
  expect(stopped).toEqual(Array(5).fill([202, waiting.last_seq + 1]));
  expect((await Promise.all(flood)).some(({ status }) => status === 429)).toBe(true);
});
