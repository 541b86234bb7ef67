/** Tests whole turns over the real server, with the offline model and with simulated providers. */
import { defineAgent, defineTool, offlineModel, reactTools } from "@cairn/agent";
import { emptyView, viewEvents } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type SentFrame, ServerBench } from "../test/server-bench.ts";
import { simulated } from "../test/simulated-agent.ts";

const closed = ({ event }: SentFrame) => event === "turn.closed";
const eventsOf = (frames: readonly SentFrame[]) =>
  frames
    .filter(({ id }) => id !== null)
    .map(({ data }) => ({ seq: data.seq, event: { kind: data.kind, v: data.v, body: data.body } }));
const textOf = (frames: readonly SentFrame[]) =>
  frames
    .filter(({ event, data }) => event === "stream.delta" && data.kind === "say")
    .map(({ data }) => data.text)
    .join("");

describe("a turn over HTTP", () => {
  it("is reported event by event, and folding the events gives the later answer", async () => {
    await using bench = await ServerBench.open();
    const id = await bench.converse();
    const data = Buffer.from("The lease ends on 31 March 2031.").toString("base64");
    const attachments = [{ name: "lease.txt", data }];
    const { turn_id, seq } = await bench.post(`/api/conversations/${id}/turns`, {
      message: "Write a report about the lease",
      attachments,
    });
    expect(seq).toBe(1);
    const frames = await bench.until(id, closed);
    const answered = await bench.get(`/api/conversations/${id}`);
    expect(answered.turns).toEqual(JSON.parse(JSON.stringify(viewEvents(eventsOf(frames), emptyView()).turns)));
    expect(answered).toMatchObject({
      pending: [],
      approvals: [],
      streams: [],
      has_more: false,
      seq: frames.findLast(({ id }) => id !== null)?.data.seq,
    });
    const [turn] = answered.turns;
    expect(turn).toMatchObject({ turn_id, exit: "complete", attachments: [{ name: "lease.txt" }] });
    const [report] = turn.files;
    const file = await bench.fetch(`/api/conversations/${id}/files/${report.physical_path}`);
    expect(await file.text()).toContain("The lease ends on 31 March 2031.");
    expect(answered.sources).toMatchObject([{ sid: 1, title: "lease.txt" }]);
  });

  it("leaves files that can be read with their citations as links to the sources they could know", async () => {
    const find = defineTool({
      id: "shop.find",
      description: "Finds a page.",
      params: z.object({}),
      run: async () => (scribe) => {
        scribe.mergeSources([{ source_type: "web", url: "https://e.com/a_(b)", title: "One [of] two" }]);
      },
    });
    const write = (path: string, content: string) => ({ name: "react__write", input: { path, content } });
    await using at = await simulated(
      [
        { reply: { calls: [{ name: "shop__find", input: {} }] } },
        {
          reply: {
            calls: [
              write("a.md", "So [[S:1]], not [[S:2]], nor `[[S:1]]`.\n"),
              write("a.html", "<p>So [[S:1]].</p>"),
              write("a.json", '{"a": "[[S:1]]"}'),
            ],
          },
        },
        { reply: { text: "Done [[S:1]]." } },
      ],
      {},
      [find],
    );
    const { bench } = at;
    const id = await bench.converse();
    const { turn_id } = await bench.post(`/api/conversations/${id}/turns`, { message: "Go" });
    await bench.until(id, closed);
    const read = (name: string, query = "?citations=links", headers = {}) =>
      bench.fetch(`/api/conversations/${id}/files/${turn_id}/files/${name}${query}`, { headers });
    const link = "[One \\[of\\] two](https://e.com/a_%28b%29)";
    const linked = await read("a.md");
    const text = `So ${link}, not [[S:2]], nor \`[[S:1]]\`.\n`;
    expect(await linked.text()).toBe(text);
    expect(linked.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    const plain = await read("a.md", "");
    expect(await plain.text()).toBe("So [[S:1]], not [[S:2]], nor `[[S:1]]`.\n");
    expect(plain.headers.get("etag")).not.toBe(linked.headers.get("etag"));
    const tag = { "if-none-match": linked.headers.get("etag") ?? "" };
    expect((await read("a.md", "?citations=links", tag)).status).toBe(304);
    expect(await (await read("a.md", "?citations=links", { range: "bytes=0-1" })).text()).toBe("So");
    expect(await (await read("a.html")).text()).toBe(
      '<p>So <sup class="cite" data-sids="1"><a href="https://e.com/a_(b)">One [of] two</a></sup>.</p>',
    );
    expect(await (await read("a.json")).text()).toBe('{"a": "[[S:1]]"}');
    expect((await read("a.md", "?citations=other")).status).toBe(400);
    const answer = (turn: string, query = "") =>
      bench.fetch(`/api/conversations/${id}/turns/${turn}/answer${query}`).then((response) => response.text());
    expect(await answer(turn_id)).toBe("Done [[S:1]].");
    expect(await answer(turn_id, "?citations=links")).toBe(`Done ${link}.`);
    for (const turn of ["turn_none", "x"]) expect(await answer(turn)).toContain("not_found");
  });

  it("leaves files that are not UTF-8 byte for byte when their citations are asked for as links", async () => {
    await using bench = await ServerBench.open();
    const id = await bench.converse();
    const bytes = Buffer.from("Caf\xe9 [[S:1]]", "latin1");
    const attachments = [{ name: "old.md", data: bytes.toString("base64") }];
    const { turn_id } = await bench.post(`/api/conversations/${id}/turns`, { message: "Go", attachments });
    await bench.until(id, closed);
    const read = await bench.fetch(`/api/conversations/${id}/files/${turn_id}/attachments/old.md?citations=links`);
    expect(Buffer.from(await read.arrayBuffer())).toEqual(bytes);
  });

  it("can be followed from any event on, each event once", async () => {
    await using bench = await ServerBench.open();
    const id = await bench.converse();
    await bench.say(id, "Hello");
    const all = eventsOf(await bench.until(id, closed)).map(({ seq }) => seq);
    expect(all).toEqual(all.map((_, index) => index + 1));
    for (const after of [1, Math.floor(all.length / 2)])
      expect(eventsOf(await bench.until(id, closed, after)).map(({ seq }) => seq)).toEqual(all.slice(after));
    const headers = { "last-event-id": String(all.length - 1) };
    const response = await bench.fetch(`/api/conversations/${id}/events?after=0`, { headers });
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes("turn.closed")) text += new TextDecoder().decode((await reader?.read())?.value);
    expect(text.match(/^id: /gm)).toHaveLength(1);
    await reader?.cancel();
  });

  it("answers a message that is sent again under its key with the first one's turn, and runs it once", async () => {
    await using bench = await ServerBench.open();
    const id = await bench.converse();
    const send = (message: string) =>
      bench.post(`/api/conversations/${id}/turns`, { message }, { "idempotency-key": "k" });
    const both = await Promise.all([send("Hello"), send("Hello")]);
    expect(both[1]).toEqual(both[0]);
    await bench.until(id, closed);
    expect(await send("Hello")).toEqual(both[0]);
    expect(await send("Something else")).toMatchObject({ error: { code: "idempotency_conflict" } });
    const withFile = { message: "Hello", attachments: [{ name: "a.txt", data: "aGk=" }] };
    expect(await bench.post(`/api/conversations/${id}/turns`, withFile, { "idempotency-key": "k" })).toMatchObject({
      error: { code: "idempotency_conflict" },
    });
    await bench.say(id, "Bye");
    expect((await bench.get(`/api/conversations/${id}`)).turns).toHaveLength(2);
  });

  it("is joined in the middle: its text so far comes from the beginning, then the rest", async () => {
    const text = "One word after the other, slowly enough to be overtaken. ".repeat(4);
    await using at = await simulated([{ reply: { text, pieceSize: 8, delayMs: 25 } }]);
    const id = await at.bench.converse();
    await at.bench.post(`/api/conversations/${id}/turns`, { message: "Speak" });
    await at.bench.until(id, ({ event, data }) => event === "stream.delta" && data.offset > 40);
    const snapshot = await at.bench.get(`/api/conversations/${id}`);
    expect(snapshot.streams).toMatchObject([{ kind: "say" }]);
    expect(text.startsWith(snapshot.streams[0].text)).toBe(true);
    const frames = await at.bench.until(id, closed, snapshot.seq);
    const first = frames.find(({ event }) => event === "stream.delta");
    expect(first?.data).toMatchObject({ offset: 0, turn_id: expect.any(String) });
    expect(textOf(frames)).toBe(text);
  });

  it("is shown with earlier turns page by page, and each page equals its part of the whole list", async () => {
    await using bench = await ServerBench.open();
    const id = await bench.converse();
    for (let n = 1; n <= 5; n++) await bench.say(id, `Hello ${n}`);
    await bench.post(
      `/api/conversations/${id}/turns/${(await bench.get(`/api/conversations/${id}`)).turns[0].turn_id}/feedback`,
      { reaction: "up" },
    );
    const whole = await bench.get(`/api/conversations/${id}`);
    const numbers = (page: { turns: { n: number }[] }) => page.turns.map(({ n }) => n);
    expect([numbers(whole), whole.has_more, whole.turns[0].feedback]).toMatchObject([
      [1, 2, 3, 4, 5],
      false,
      [{ reaction: "up" }],
    ]);
    for (const [query, expected, more] of [
      ["limit=2", [4, 5], true],
      ["limit=2&before=4", [2, 3], true],
      ["limit=2&before=2", [1], false],
      ["limit=2&before=1", [], false],
      ["limit=100&before=99", [1, 2, 3, 4, 5], false],
    ] as const) {
      const page = await bench.get(`/api/conversations/${id}?${query}`);
      expect([query, numbers(page), page.has_more, page.seq]).toEqual([query, expected, more, whole.seq]);
      expect(page.turns).toEqual(whole.turns.filter(({ n }: { n: number }) => expected.some((each) => each === n)));
    }
  });

  it("forgets a client that disconnected", async () => {
    await using bench = await ServerBench.open();
    const id = await bench.converse();
    const leave = new AbortController();
    const response = await bench.fetch(`/api/conversations/${id}/events`, { signal: leave.signal });
    const followers = async () => /^cairn_followers (\d+)$/m.exec(await (await bench.fetch("/metrics")).text())?.[1];
    expect([response.status, await followers()]).toEqual([200, "1"]);
    leave.abort();
    while ((await followers()) !== "0") await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it("a turn over HTTP that another process writes can be joined as well", async () => {
    const text = "Slow words from somewhere else. ".repeat(8);
    await using at = await simulated([{ reply: { text, pieceSize: 8, delayMs: 60 } }]);
    const other = await at.bench.another();
    try {
      const id = await at.bench.converse();
      await at.bench.post(`/api/conversations/${id}/turns`, { message: "Speak" });
      const frames: SentFrame[] = [];
      for await (const frame of at.bench.follow(id, 0, other.address)) {
        frames.push(frame);
        if (closed(frame)) break;
      }
      const deltas = frames.filter(({ event }) => event === "stream.delta");
      expect(deltas.length).toBeGreaterThan(1);
      expect(text.startsWith(textOf(frames))).toBe(true);
      expect(deltas[0]?.data.offset).toBe(0);
    } finally {
      await other.stop();
    }
  });

  it("is steered by a message, followed by another, and stopped", async () => {
    await using at = await simulated([
      {
        reply: {
          text: "I think about it. ".repeat(10),
          pieceSize: 8,
          delayMs: 20,
          calls: [{ name: "react__plan", input: { mode: "new", steps: ["a"] } }],
        },
      },
      { reply: { text: "Short." } },
      { reply: { text: "Never ending. ".repeat(1_000), pieceSize: 8, delayMs: 20 } },
    ]);
    const { bench } = at;
    const id = await bench.converse();
    await bench.post(`/api/conversations/${id}/turns`, { message: "Speak" });
    await bench.until(id, ({ event }) => event === "stream.delta");
    const steered = await bench.post(`/api/conversations/${id}/turns`, { message: "Shorter, please", mode: "steer" });
    expect(steered.turn_id).toBeNull();
    const next = await bench.post(`/api/conversations/${id}/turns`, { message: "And then?", mode: "follow-up" });
    await bench.until(id, ({ event, data }) => event === "stream.delta" && data.turn_id === next.turn_id);
    await bench.post(`/api/conversations/${id}/cancel`);
    await bench.until(id, (frame) => closed(frame) && frame.data.body.turn_id === next.turn_id);
    const { turns } = await bench.get(`/api/conversations/${id}`);
    expect(turns).toMatchObject([
      { exit: "complete", inputs: [{ mode: "steer", text: "Shorter, please" }], completion: { text: "Short." } },
      { turn_id: next.turn_id, exit: "cancelled", completion: { interrupted: true } },
    ]);
  });

  it("may have messages that wait for it withdrawn, one by one or all when it is stopped", async () => {
    const endless = { reply: { text: "Never ending. ".repeat(1_000), pieceSize: 8, delayMs: 20 } };
    await using at = await simulated([endless]);
    const { bench } = at;
    const id = await bench.converse();
    const send = (message: string, mode = "follow-up") =>
      bench.post(`/api/conversations/${id}/turns`, { message, mode });
    const pending = async () =>
      (await bench.get(`/api/conversations/${id}`)).pending.map(({ message }: { message: string }) => message);
    await send("Speak", "turn");
    await bench.until(id, ({ event }) => event === "stream.delta");
    const { input_key } = await send("one");
    await send("two");
    await send("three");
    const withdraw = () => bench.post(`/api/conversations/${id}/cancel?message=${input_key}`);
    await withdraw();
    expect(await pending()).toEqual(["two", "three"]);
    expect(await withdraw()).toMatchObject({ error: { code: "not_found" } });
    await bench.post(`/api/conversations/${id}/cancel?waiting=withdraw`);
    await bench.until(id, ({ event, data }) => event === "status" && data.status === "idle");
    expect(await pending()).toEqual([]);
    expect((await bench.get(`/api/conversations/${id}`)).turns).toMatchObject([{ exit: "cancelled" }]);
    expect(at.simulator.requests).toHaveLength(1);
  });

  it("may run while its conversation is given a name, which is shown at once and stays", async () => {
    await using at = await simulated([
      { reply: { text: "I think about it. ".repeat(30), pieceSize: 8, delayMs: 20 } },
      { reply: { text: "Short." } },
    ]);
    const { bench } = at;
    const id = await bench.converse();
    const other = await bench.another();
    const name = async (address: string, title: string) => {
      const init = {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ title }),
      };
      return (await fetch(`${address}/api/conversations/${id}`, init)).json();
    };
    try {
      const { turn_id } = await bench.post(`/api/conversations/${id}/turns`, { message: "Speak" });
      await bench.until(id, ({ event }) => event === "stream.delta");
      expect(await name(bench.address, "Mine")).toMatchObject({ title: "Mine", status: "running" });
      // The request also works at a process that does not run the turn.
      expect(await name(other.address, "Mine after all")).toMatchObject({ title: "Mine after all" });
      expect((await bench.get("/api/conversations")).conversations).toMatchObject([{ title: "Mine after all" }]);
      expect((await bench.get(`/api/conversations/${id}`)).turns).toMatchObject([{ turn_id, exit: null }]);
      const named = ({ event, data }: SentFrame) => event === "title.given" && data.body.title === "Mine after all";
      // The title is stored before the turn ends.
      const frames = await bench.until(id, named);
      expect(frames.some(({ event }) => event === "turn.closed")).toBe(false);
      await bench.say(id, "And now?");
      const { conversation } = await bench.get(`/api/conversations/${id}`);
      expect(conversation.title).toBe("Mine after all");
      expect((await bench.get(`/api/conversations/${id}/timeline`)).conversation_title).toBe("Mine after all");
    } finally {
      await other.stop();
    }
  });

  it("may ask for another model, if the server allows it", async () => {
    const { prices: _, ...priceless } = offlineModel();
    const slow = { ...priceless, id: "other" };
    const agents = [
      defineAgent({ name: "first", instructions: "You help.", model: offlineModel(), tools: reactTools() }),
      defineAgent({ name: "second", instructions: "You help.", model: slow, tools: reactTools() }),
    ];
    await using bench = await ServerBench.open({ agents });
    const id = await bench.converse();
    await bench.say(id, "Hello", { model: "other" });
    await bench.say(id, "Hello again");
    const { requests } = await bench.get(`/api/conversations/${id}/requests`);
    expect(requests.map(({ model }: { model: string }) => model)).toEqual(["other", "offline"]);
    // A cost of zero differs from an unknown cost.
    expect(requests).toMatchObject([
      { cost: 0, is_priced: false },
      { cost: 0, is_priced: true },
    ]);
    expect((await bench.get(`/api/conversations/${id}/requests?after=1`)).requests).toEqual(requests.slice(1));
    expect((await bench.get(`/api/conversations/${id}/requests/1`)).verified).toEqual({ ok: true, differences: [] });
    expect(await bench.get(`/api/conversations/${id}/requests/3`)).toMatchObject({ error: { code: "not_found" } });
    const refused = await bench.post(`/api/conversations/${id}/turns`, { message: "Hi", model: "openai:gpt-9" });
    expect(refused).toMatchObject({ error: { code: "bad_model" } });
  });
});
