/** Tests calls of tools with the unmodified client of the AI SDK, over real sockets to this server. */
import { Chat } from "@ai-sdk/react";
import { defineAgent, type Model } from "@cairn/agent";
import { DefaultChatTransport, isToolUIPart, lastAssistantMessageIsCompleteWithToolCalls, type UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import { ANTHROPIC, find, open, textOf, until } from "../../test/chat-client.ts";
import { ServerBench } from "../../test/server-bench.ts";

describe("an AI SDK client", () => {
  it("sees the input of a call while the model writes it, also after a reload, in the part of the call", async () => {
    const halves = ['{"what":"a tea that is ', 'described at length"}'];
    const written = Promise.withResolvers<void>();
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
    let requests = 0;
    const model: Model = {
      id: "test",
      provider: "automatic",
      contextTokens: 100_000,
      maxOutputTokens: 1_000,
      async *stream() {
        if (requests++ > 0) {
          yield { type: "text", text: "Found." };
          return yield { type: "finish", reason: "stop", usage };
        }
        yield { type: "text", text: "I look." };
        yield { type: "call", index: 0, name: "shop.find" };
        yield { type: "params", index: 0, text: halves[0] ?? "" };
        await written.promise;
        yield { type: "params", index: 0, text: halves[1] ?? "" };
        yield { type: "finish", reason: "calls", usage };
      },
    };
    const agent = defineAgent({ name: "test", instructions: "You help.", model, tools: [find] });
    await using bench = await ServerBench.open({ agents: [agent] });
    const chatWith = (messages: UIMessage[]) =>
      new Chat<UIMessage>({
        id: "written",
        messages,
        transport: new DefaultChatTransport({ api: `${bench.address}/api/chat` }),
      });
    const partOf = (chat: Chat<UIMessage>) => chat.lastMessage?.parts.find(isToolUIPart);
    const half = { type: "tool-shop.find", state: "input-streaming", input: { what: "a tea that is " } };
    const first = chatWith([]);
    const sending = first.sendMessage({ text: "Find" });
    await until(() => partOf(first)?.input !== undefined);
    const { toolCallId } = partOf(first) ?? {};
    expect(partOf(first)).toMatchObject(half);
    const kept = first.messages.filter(({ role }) => role === "user");
    await Promise.all([first.stop(), sending]);
    const second = chatWith(structuredClone(kept));
    const resuming = second.resumeStream();
    await until(() => partOf(second)?.input !== undefined);
    expect(partOf(second)).toMatchObject({ ...half, toolCallId });
    written.resolve();
    await resuming;
    const input = { what: "a tea that is described at length" };
    const done = { toolCallId, state: "output-available", input, providerExecuted: true };
    expect(second.lastMessage?.parts.filter(isToolUIPart)).toMatchObject([done]);
    expect(textOf(second.lastMessage)).toEqual(["I look.", "Found."]);
    const history: UIMessage[] = await bench.get("/api/chat/written");
    expect(history).toEqual(JSON.parse(JSON.stringify(second.messages)));
  });

  it("runs the tools of the client itself, several at once, and brings outputs and errors", async () => {
    await using at = await open(ANTHROPIC, [
      {
        reply: {
          text: "Where are you?",
          calls: [
            { name: "page__place", input: { exact: true } },
            { name: "page__place", input: { exact: false } },
            { name: "shop__find", input: { what: "tea" } },
          ],
        },
      },
      { reply: { calls: [{ name: "page__place", input: { exact: "perhaps" } }] } },
      { reply: { text: "In Rome." } },
    ]);
    const chat = new Chat<UIMessage>({
      id: "client",
      transport: new DefaultChatTransport({ api: `${at.bench.address}/api/chat` }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
      onToolCall: ({ toolCall: { toolName: tool, toolCallId, input } }) => {
        const { exact } = input as { exact: boolean };
        if (exact)
          void chat.addToolOutput({ tool, toolCallId, output: { city: "Rome", artifact_path: "fi:a.files/b" } });
        else void chat.addToolOutput({ tool, toolCallId, state: "output-error", errorText: "No permission" });
      },
    });
    await chat.sendMessage({ text: "Tea near me" });
    await until(() => textOf(chat.lastMessage).includes("In Rome.") && chat.status === "ready");
    expect(chat.error).toBeUndefined();
    expect(chat.messages).toHaveLength(2);
    const states = (chat.lastMessage?.parts ?? [])
      .filter(isToolUIPart)
      .map(({ state, providerExecuted }) => [state, providerExecuted]);
    expect(states.slice(0, 3)).toEqual([
      ["output-available", undefined],
      ["output-error", undefined],
      ["output-available", true],
    ]);
    const sent = at.simulator.requests[1]?.bytes ?? "";
    for (const content of ["Rome", "client_error: No permission", "found"]) expect(sent).toContain(content);
    // Wrong parameters are reported to the model and never reach the client.
    expect(at.simulator.requests[2]?.bytes).toContain("do not match its schema");
    const history = JSON.stringify(await at.bench.get("/api/chat/client"));
    expect(history).toContain("No permission");
    expect((await at.bench.get("/api/conversations/client")).approvals).toEqual([]);
  });

  it("gets what a tool returned as an object, in a part that is named after the tool", async () => {
    await using at = await open(ANTHROPIC, [
      { reply: { calls: [{ name: "web_tools__web_fetch", input: {} }] } },
      { reply: { text: "Done." } },
    ]);
    const chat = at.chat("typed");
    await chat.sendMessage({ text: "Go" });
    expect(chat.lastMessage?.parts).toContainEqual(
      expect.objectContaining({
        type: "tool-web_tools.web_fetch",
        input: {},
        state: "output-available",
        providerExecuted: true,
        output: expect.objectContaining({ "https://a.example": { sid: 1, content: "Tea." } }),
      }),
    );
  });

  it("is answered at once when it sends a message instead of answering a request for approval", async () => {
    await using at = await open(ANTHROPIC, [
      { reply: { calls: [{ name: "shop__order", input: { what: "tea" } }] } },
      { reply: { text: "As you like." } },
    ]);
    const chat = at.chat("instead");
    await chat.sendMessage({ text: "Tea" });
    const [asked] = chat.messages;
    // The same message is sent again, as after a lost connection, and not a new one.
    const again = await at.bench.fetch("/api/chat", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: "instead", messages: [asked] }),
    });
    expect(await again.text()).toContain("tool-approval-request");
    await chat.sendMessage({ text: "Wait, forget it." });
    expect(textOf(chat.lastMessage)).toEqual(["As you like."]);
    const { turns, approvals } = await at.bench.get("/api/conversations/instead");
    expect(turns).toMatchObject([{ exit: "cancelled", rounds: [{ files: [], results: [] }] }, { exit: "complete" }]);
    expect(approvals).toEqual([]);
    const history: UIMessage[] = await at.bench.get("/api/chat/instead");
    expect(history.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(JSON.stringify(history)).not.toContain("approval-requested");
  });

  it("approves a call only with the hash of the content that was shown", async () => {
    await using at = await open(ANTHROPIC, [
      { reply: { calls: [{ name: "shop__order", input: { what: "tea" } }] } },
      { reply: { text: "Ordered." } },
    ]);
    const chat = at.chat("bound");
    await chat.sendMessage({ text: "Tea" });
    const part = chat.lastMessage?.parts.find(isToolUIPart);
    if (part?.state !== "approval-requested") throw new Error("nothing was asked");
    const answer = async (id: string) => {
      const given = { ...part, state: "approval-responded", approval: { id, approved: true } };
      const messages = [...chat.messages.slice(0, -1), { ...chat.lastMessage, parts: [given] }];
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ id: "bound", messages });
      const response = await fetch(`${at.bench.address}/api/chat`, { method: "POST", headers, body });
      return { status: response.status, text: await response.text() };
    };
    const [call = "", hash = ""] = part.approval.id.split(":");
    expect(hash).not.toBe("");
    for (const id of [call, `${call}:`, `${call}:0`, `${call}:${hash}0`]) expect((await answer(id)).status).toBe(404);
    const approved = await answer(part.approval.id);
    expect(approved).toMatchObject({ status: 200, text: expect.stringContaining("Ordered.") });
  });

  it("shows a program that ended with an error as failed, and names the missing pages of a fetch", async () => {
    await using at = await open(ANTHROPIC, [
      {
        reply: {
          calls: [
            { name: "exec_tools__execute_code_python", input: {} },
            { name: "web_tools__web_fetch", input: {} },
          ],
        },
      },
      { reply: { text: "Done." } },
    ]);
    const chat = at.chat("failing");
    await chat.sendMessage({ text: "Go" });
    expect(textOf(chat.lastMessage)).toEqual(["Done."]);
    const parts = (chat.lastMessage?.parts ?? []).filter(isToolUIPart);
    expect(parts).toMatchObject([
      {
        state: "output-error",
        errorText: "Runtime error: execution_failed — ValueError: no tea\nProgram log (tail):\nBoiling.",
      },
      {
        state: "output-available",
        output: { "https://a.example": { sid: 1, content: "Tea." } },
        toolMetadata: { partly_failed: "1 of 2 pages: https://b.example: The server answered 404." },
      },
    ]);
    const { turns } = await at.bench.get("/api/conversations/failing");
    expect(turns[0].rounds).toMatchObject([
      { status: "ok", outcome: { kind: "failed", reason: "execution_failed — ValueError: no tea" } },
      { status: "ok", outcome: { kind: "partly_failed" } },
    ]);
  });
});
