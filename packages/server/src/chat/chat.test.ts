/** Tests conversations with the unmodified client of the AI SDK, over real sockets to this server. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getToolName, isToolUIPart, type UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import { ANTHROPIC, gate, OPENAI, open, reasoningOf, textOf, typesOf, until } from "../../test/chat-client.ts";
import { ServerBench } from "../../test/server-bench.ts";

describe.each([ANTHROPIC, OPENAI])("an AI SDK client over %s", (name, prefix) => {
  it("holds a conversation: text, reasoning, tools, sources, files, plan and artifacts", async () => {
    await using at = await open(
      [name, prefix],
      [
        {
          reply: {
            thinking: "Where is tea?",
            text: "I look.",
            calls: [{ name: "shop__find", input: { what: "tea" } }],
          },
        },
        {
          reply: {
            text: "I write.",
            calls: [
              { name: "react__plan", input: { mode: "new", steps: ["Write"] } },
              { name: "react__write", input: { path: "tea.md", content: "# Tea\n\nGreen [[S:1]]." } },
            ],
          },
        },
        { reply: { text: "Green tea [[S:1]].", pieceSize: 3 } },
        { reply: { text: "You are welcome." } },
      ],
    );
    const chat = at.chat("chat one");
    await chat.sendMessage({ text: "Which tea?" });
    expect(chat.error).toBeUndefined();
    expect(chat.status).toBe("ready");
    const answer = chat.lastMessage;
    expect(textOf(answer)).toEqual(["I look.", "I write.", "Green tea [A](https://example.com/a)."]);
    expect(reasoningOf(answer)).toEqual(["Where is tea?"]);
    const tools = (answer?.parts ?? []).filter(isToolUIPart);
    expect(tools.map((tool) => [getToolName(tool), tool.state])).toEqual([
      ["shop.find", "output-available"],
      ["react.plan", "output-available"],
      ["react.write", "output-available"],
    ]);
    expect(typesOf(answer)).toEqual(
      expect.arrayContaining(["step-start", "data-plan", "data-artifact", "file", "source-url"]),
    );
    const file = answer?.parts.find((part) => part.type === "file");
    const content = await at.bench.fetch(file?.type === "file" ? file.url : "");
    expect(await content.text()).toBe("# Tea\n\nGreen [[S:1]].");

    const data = Buffer.from("hello").toString("base64");
    await chat.sendMessage({
      text: "Thanks",
      files: [{ type: "file", mediaType: "text/plain", filename: "a.txt", url: `data:text/plain;base64,${data}` }],
    });
    expect(textOf(chat.lastMessage)).toEqual(["You are welcome."]);
    const { turns } = await at.bench.get("/api/conversations/chat%20one");
    expect(turns).toMatchObject([
      { prompt: { text: "Which tea?" } },
      { attachments: [{ name: "a.txt", size_bytes: 5 }] },
    ]);
    expect(new Set(chat.messages.map(({ id }) => id)).size).toBe(4);
    expect(chat.lastMessage?.metadata).toMatchObject({ exit: "complete", usage: { output: expect.any(Number) } });
    // The history equals the messages, except the addresses of attachments and the ids of reasoning.
    const plain = (messages: readonly UIMessage[]) =>
      messages.map(({ id, role, metadata, parts }) => ({
        id,
        role,
        metadata,
        parts: parts.map((part) =>
          part.type === "file" ? "file" : part.type === "reasoning" ? `thought: ${part.text}` : part,
        ),
      }));
    const history: UIMessage[] = await at.bench.get("/api/chat/chat%20one");
    expect(plain(history)).toEqual(plain(structuredClone(JSON.parse(JSON.stringify(chat.messages)))));
    const sent = history[2]?.parts.find((part) => part.type === "file");
    expect(await (await at.bench.fetch(sent?.url ?? "")).text()).toBe("hello");
  });

  it("reloads in the middle of a stream and continues to the same message", async () => {
    const slow = "These words come one by one, and the page is gone before the last. ".repeat(4).trim();
    await using at = await open(
      [name, prefix],
      [
        { reply: { thinking: "Tea?", text: "I look.", calls: [{ name: "shop__find", input: { what: "tea" } }] } },
        { reply: { thinking: "Found.", text: slow, pieceSize: 8, delayMs: 20 } },
      ],
    );
    const first = at.chat("reloaded");
    const sending = first.sendMessage({ text: "Speak" });
    await until(() => (textOf(first.lastMessage)[1] ?? "").length > 40);
    // The page is closed, so its knowledge of the answer is lost.
    const kept = first.messages.filter(({ role }) => role === "user");
    await Promise.all([first.stop(), sending]);
    const second = at.chat("reloaded", structuredClone(kept));
    const resuming = second.resumeStream();
    await until(() => (textOf(second.lastMessage)[1] ?? "").length > 0);
    const seen = textOf(second.lastMessage)[1] ?? "";
    expect(slow.startsWith(seen)).toBe(true);
    expect(seen.length).toBeGreaterThan(30);
    await resuming;
    expect(second.status).toBe("ready");
    expect(textOf(second.lastMessage)).toEqual(["I look.", slow]);
    // The reasoning of the first step was written before this page was opened.
    expect(reasoningOf(second.lastMessage)).toEqual(["Tea?", "Found."]);
    expect(second.messages).toHaveLength(2);
    // A page may have kept half of the message. The server replaces this half and does not repeat it.
    const third = at.chat("reloaded", structuredClone(second.messages));
    await third.resumeStream();
    expect(third.messages).toEqual(second.messages);
  });

  it("asks for approval, and continues the same message when it is given or refused", async () => {
    await using at = await open(
      [name, prefix],
      [
        { reply: { text: "I order.", calls: [{ name: "shop__order", input: { what: "tea" } }] } },
        { reply: { text: "Ordered." } },
        { reply: { calls: [{ name: "shop__order", input: { what: "coffee" } }] } },
        { reply: { text: "Then not." } },
      ],
    );
    const chat = at.chat("asked");
    for (const [message, approved, answer] of [
      ["Tea", true, "Ordered."],
      ["Coffee", false, "Then not."],
    ] as const) {
      await chat.sendMessage({ text: message });
      const part = chat.lastMessage?.parts.find(isToolUIPart);
      if (part?.state !== "approval-requested") throw new Error("nothing was asked");
      await chat.addToolApprovalResponse({ id: part.approval.id, approved, reason: `Because of ${message}.` });
      await until(() => textOf(chat.lastMessage).includes(answer) && chat.status === "ready");
      const after = chat.lastMessage?.parts.find(isToolUIPart);
      expect(after).toMatchObject({ state: approved ? "output-available" : "output-denied" });
    }
    expect(chat.messages).toHaveLength(4);
    const sent = at.simulator.requests.map(({ bytes }) => bytes);
    expect([sent[1]?.includes("Because of Tea."), sent[3]?.includes("Because of Coffee.")]).toEqual([true, true]);
  });
});

describe("an AI SDK client", () => {
  it("stops the turn with stop() if the client has chosen this", async () => {
    const slow = "These words come one by one. ".repeat(60).trim();
    await using at = await open(ANTHROPIC, [{ reply: { text: slow, pieceSize: 4, delayMs: 20 } }]);
    const chat = at.chat("halted", [], { on_disconnect: "stop" });
    const sending = chat.sendMessage({ text: "Speak" });
    await until(() => (textOf(chat.lastMessage)[0] ?? "").length > 20);
    await Promise.all([chat.stop(), sending]);
    await at.bench.until("halted", ({ event }) => event === "turn.closed");
    const { turns } = await at.bench.get("/api/conversations/halted");
    expect(turns).toMatchObject([{ exit: "cancelled" }]);
    expect(turns[0].completion.text.length).toBeLessThan(slow.length);
  });

  it("an AI SDK client that leaves before its message has its turn stops that turn only, as soon as it opens", async () => {
    gate.held = Promise.withResolvers();
    await using at = await open(ANTHROPIC, [
      { reply: { calls: [{ name: "shop__hold", input: {} }] } },
      { reply: { text: "First." } },
      { reply: { text: "Third." } },
    ]);
    const chat = at.chat("queued");
    const sending = chat.sendMessage({ text: "One" });
    await until(() => typesOf(chat.lastMessage).includes("tool-shop.hold"));
    const message = { id: "m2", role: "user", parts: [{ type: "text", text: "Two" }] };
    const second = await at.bench.fetch("/api/chat", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: "queued", messages: [message], on_disconnect: "stop" }),
    });
    await second.body?.cancel();
    await at.bench.until("queued", ({ event }) => event === "cancel.requested");
    gate.held.resolve();
    await sending;
    await chat.sendMessage({ text: "Three" });
    const { turns } = await at.bench.get("/api/conversations/queued");
    expect(turns).toMatchObject([{ exit: "complete" }, { exit: "cancelled" }, { exit: "complete" }]);
    expect(textOf(chat.lastMessage)).toEqual(["Third."]);
  });

  it("gets a turn that failed as an error, and the history says why", async () => {
    await using at = await open(ANTHROPIC, [{ reply: { fault: "status", status: 401 }, times: 9 }]);
    const chat = at.chat("failed");
    await chat.sendMessage({ text: "Speak" });
    expect(chat.status).toBe("error");
    expect(chat.error?.message).not.toBe("");
    const history: UIMessage[] = await at.bench.get("/api/chat/failed");
    expect(history.at(-1)?.metadata).toMatchObject({ exit: "error", error: { message: chat.error?.message } });
  });

  it("sees a steering message at the place where the turn took it", async () => {
    gate.held = Promise.withResolvers();
    await using at = await open(ANTHROPIC, [
      { reply: { text: "I look.", calls: [{ name: "shop__hold", input: {} }] } },
      { reply: { text: "Green it is." } },
    ]);
    const chat = at.chat("steered");
    const sending = chat.sendMessage({ text: "Which tea?" });
    await until(() => typesOf(chat.lastMessage).includes("tool-shop.hold"));
    await at.bench.post("/api/conversations/steered/turns", { message: "A green one", mode: "steer" });
    gate.held.resolve();
    await sending;
    const steering = { type: "steering-message", parts: [{ type: "text", text: "A green one" }] };
    expect(chat.lastMessage?.parts).toContainEqual(expect.objectContaining(steering));
    const history: UIMessage[] = await at.bench.get("/api/chat/steered");
    expect(history.at(-1)?.parts).toContainEqual(expect.objectContaining(steering));
    expect(typesOf(history.at(-1))).toEqual(typesOf(chat.lastMessage));
  });

  it("is told when the server stops in the middle, and continues when it is back", async () => {
    const slow = "These words come one by one. ".repeat(8).trim();
    await using at = await open(ANTHROPIC, [
      { reply: { text: slow, pieceSize: 4, delayMs: 20 } },
      { reply: { text: "The whole answer." } },
    ]);
    const chat = at.chat("stopped");
    const sending = chat.sendMessage({ text: "Speak" });
    await until(() => (textOf(chat.lastMessage)[0] ?? "").length > 20);
    await at.bench.stop();
    await sending;
    expect(chat.status).toBe("error");
    expect(chat.error?.message).toContain("The turn continues");
    await at.bench.start();
    const again = at.chat("stopped", structuredClone(chat.messages));
    await again.resumeStream();
    expect(again.status).toBe("ready");
    expect(textOf(again.lastMessage)).toEqual(["The whole answer."]);
    expect(again.messages).toHaveLength(2);
  });

  it("edits a message and sends it again, asks for another answer, and sends nothing twice", async () => {
    await using at = await open(ANTHROPIC, [
      { reply: { text: "One." } },
      { reply: { text: "Two." } },
      { reply: { text: "Three." } },
      { reply: { text: "Four." } },
    ]);
    const chat = at.chat("edited");
    await chat.sendMessage({ text: "First" });
    await chat.sendMessage({ text: "Changed", messageId: chat.messages[0]?.id ?? "" });
    expect(chat.error).toBeUndefined();
    expect(chat.messages.flatMap(textOf)).toEqual(["Changed", "Two."]);
    await chat.regenerate();
    expect(chat.messages.flatMap(textOf)).toEqual(["Changed", "Three."]);
    const messages = [{ id: "m", role: "user", parts: [{ type: "text", text: "Last" }] }];
    const init = { method: "POST", headers: { "content-type": "application/json" } };
    const send = async () =>
      (await at.bench.fetch("/api/chat", { ...init, body: JSON.stringify({ id: "edited", messages }) })).text();
    const both = await Promise.all([send(), send()]);
    for (const told of both) expect(told).toContain("Four.");
    // Each attempt is a version of the turn, and the chat continues in the last attempt.
    const prompts = async (id: string) =>
      (await at.bench.get(`/api/conversations/${id}`)).turns.map(
        (turn: { prompt: { text: string } }) => turn.prompt.text,
      );
    expect(await prompts("edited")).toEqual(["First"]);
    const { conversations } = await at.bench.get("/api/conversations");
    expect(conversations).toHaveLength(1);
    const shown = conversations[0].conversation_id;
    expect(await prompts(shown)).toEqual(["Changed", "Last"]);
    const { versions } = await at.bench.get(`/api/conversations/${shown}`);
    expect(versions).toMatchObject([{ turn: 1, current: 2 }]);
    expect(versions[0].conversations).toHaveLength(3);
  });

  it("is shown nothing twice when the model is asked again in the middle of its answer", async () => {
    await using at = await open(ANTHROPIC, [
      { reply: { text: "Half of an answer that breaks off", pieceSize: 4, interrupt: { after: 5, by: "error" } } },
      { reply: { text: "The whole answer." } },
    ]);
    const chat = at.chat("broken");
    await chat.sendMessage({ text: "Speak" });
    expect(textOf(chat.lastMessage)).toEqual(["The whole answer."]);
  });

  it("has nothing to resume when nothing is written, and is told what was wrong with its request", async () => {
    await using at = await open(ANTHROPIC, []);
    expect((await at.bench.fetch("/api/chat/nobody/stream")).status).toBe(204);
    const chat = at.chat("wrong");
    await chat.sendMessage({
      text: "See",
      files: [{ type: "file", mediaType: "text/plain", url: "http://127.0.0.1/secret" }],
    });
    expect(chat.status).toBe("error");
    expect(chat.error?.message).toContain("data URLs");
  });

  it("leaves no empty version behind when an edited message cannot be stored", async () => {
    await using at = await open(ANTHROPIC, [{ reply: { text: "One." } }]);
    const chat = at.chat("kept");
    await chat.sendMessage({ text: "First" });
    const blobs = join(at.bench.folder, ".cairn", "blobs");
    await rm(blobs, { recursive: true, force: true });
    await writeFile(blobs, "not a folder");
    const url = "data:text/plain;base64,SGVsbG8=";
    const files = [{ type: "file" as const, mediaType: "text/plain", filename: "a.txt", url }];
    await chat.sendMessage({ text: "Changed", files, messageId: chat.messages[0]?.id ?? "" });
    expect(chat.status).toBe("error");
    const { conversations } = await at.bench.get("/api/conversations");
    expect(conversations).toMatchObject([{ conversation_id: "kept" }]);
    const { branches } = await at.bench.get("/api/conversations/kept/branches");
    expect(branches).toHaveLength(1);
  });

  it("leaves no empty conversation behind when its first message is rejected", async () => {
    // This server runs no turns, so messages keep waiting.
    await using bench = await ServerBench.open({ server: { concurrency: 0, queue: 1 } });
    const id = await bench.converse();
    await bench.post(`/api/conversations/${id}/turns`, { message: "I wait" });
    const chat = (text: string, more: object = {}) => ({
      id: "new",
      messages: [{ id: "m", role: "user", parts: [{ type: "text", text }] }],
      ...more,
    });
    for (const [body, code] of [
      [chat("  "), "bad_request"],
      [chat("Hello", { model: "nobody" }), "bad_model"],
      [chat("Hello"), "busy"],
    ] as const)
      expect(await bench.post("/api/chat", body)).toMatchObject({ error: { code } });
    const { conversations } = await bench.get("/api/conversations");
    expect(conversations.map(({ conversation_id }: { conversation_id: string }) => conversation_id)).toEqual([id]);
  });
});
