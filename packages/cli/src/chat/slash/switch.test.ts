import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { keyOf, openData } from "../../command/open-data.ts";
import { pipedLines } from "../ask/line-source.ts";
import { ChatSession } from "../chat-session.ts";
import type { OpenedChat } from "../conversation/open-chat.ts";
import { PlainOutput } from "../show/plain-output.ts";
import { runSlashCommand } from "./commands.ts";

/** A session in a data folder with three conversations. It records what it opens and shows. */
async function openSession() {
  const cwd = await mkdtemp(join(tmpdir(), "cairn-resume-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const stdout = new PassThrough();
  const terminal = { stdin: new PassThrough(), stdout, stderr: new PassThrough(), env: {}, cwd };
  const data = await openData(terminal, { create: true });
  onTestFinished(() => data[Symbol.asyncDispose]());
  const { store } = data;
  for (const id of ["conv_a", "conv_b", "conv_c"]) await store.createConversation(keyOf(terminal, id));

  const opened: (string | null)[] = [];
  const chatOf = (id: string) =>
    ({ key: keyOf(terminal, id), conversation: { hasWork: async () => false } }) as unknown as OpenedChat;
  const changes: [string, string | null][] = [];
  const parts = {
    terminal,
    store,
    output: new PlainOutput(terminal),
    lines: pipedLines(terminal),
    open: async (id: string | null) => {
      opened.push(id);
      return chatOf(id ?? "conv_now");
    },
    onChange: async ({ key }: OpenedChat, model: string | null) => {
      changes.push([key.conversation, model]);
    },
    onModel: async () => undefined,
    model: null,
    interactive: true,
    json: false,
    consent: false,
  };
  const session = new ChatSession(parts, chatOf("conv_now"), []);
  const run = (line: string) => runSlashCommand(line, session.slashContext(), true);
  return { session, store, terminal, stdout, opened, changes, run };
}

it("the model of a session stays in the conversations that are opened later", async () => {
  const { session, changes, run } = await openSession();
  await session.slashContext().useModel("anthropic:claude-sonnet-5");
  await run("/resume conv_a");
  await run("/new");
  expect(session.slashContext().model).toBe("anthropic:claude-sonnet-5");
  expect(changes).toEqual(["conv_now", "conv_a", "conv_now"].map((id) => [id, "anthropic:claude-sonnet-5"]));
});

it("/resume <number> continues the conversation in that row of the list that was shown last", async () => {
  const { opened, run, stdout, store, terminal } = await openSession();
  await run("/resume");
  const shown = String(stdout.read()).match(/conv_\w/g) ?? [];
  expect(shown.toSorted()).toEqual(["conv_a", "conv_b", "conv_c"]);
  await store.deleteConversation(keyOf(terminal, shown[0] ?? ""));
  await run("/resume 2");
  await run("/resume conv_x");
  await run("/resume");
  await run("/resume 2");
  expect(opened).toEqual([shown[1], "conv_x", shown[2]]);
});
