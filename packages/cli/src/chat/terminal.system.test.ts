/** Tests the chat in a real terminal: a session in tmux, and a second session that continues it. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { childEnv } from "@cairn/testkit/child-env";
import { findCommand } from "@cairn/testkit/system-package";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AGENT, BIN, CliBench, ZOD } from "../../test/cli-bench.ts";
import { TmuxTerminal } from "../../test/tmux.ts";

const tmux = findCommand("tmux");

/**
 * Answers by the message: `stream` writes half of its text, and the rest when the file `go` exists; `work` calls a tool
 * that never ends; `order` calls a tool that needs approval. Other messages are repeated with their number of lines.
 */
const CONFIG = `import { existsSync, writeFileSync } from "node:fs";
import { defineAgent, defineTool, offlineModel } from ${JSON.stringify(AGENT)};
import { z } from ${JSON.stringify(ZOD)};
writeFileSync("pid", String(process.pid));
const work = defineTool({ id: "work.do", description: "Works.", params: z.object({}), approval: "never",
  run: (_, { signal }) => new Promise((_done, fail) => signal.addEventListener("abort", () => fail(signal.reason))) });
const order = defineTool({ id: "shop.order", description: "Orders.", approval: "always",
  params: z.object({ what: z.string(), program: z.string() }), run: async () => ({ ok: true, ret: "done" }) });
const program = Array.from({ length: 20 }, (_, n) => "line " + (n + 1)).join("\\n");
const finish = (reason) => ({ type: "finish", reason, usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } });
const text = (words) => ({ type: "text", text: words });
const model = { ...offlineModel(), stream: async function* ({ view }) {
  const turn = [...view].map((message) => message.text ?? "").join("").split("[TURN ").at(-1);
  const said = (/\\[USER MESSAGE\\]\\n\\[path[^\\n]*\\]\\n([\\s\\S]*?)\\n\\n/.exec(turn) ?? [])[1] ?? "";
  if (/TOOL RESULT/.test(turn)) {
    yield { type: "thinking", text: "The tea is there." };
    yield text("The tool has ended.");
  }
  else if (said === "stream") {
    yield text("# A heading of the answer\\n\\nA first paragraph that is finished and long enough to be wrapped in a narrow window of the terminal.\\n\\n| name | remark |\\n|---|---|\\n| tea | a remark that is so long that it must be wrapped at fifty columns |\\n| 茶 | growing");
    while (!existsSync("go")) await new Promise((done) => setTimeout(done, 20));
    yield text(" no more |\\n\\nThe very end.");
  } else if (said === "work" || said === "order") {
    yield { type: "thinking", text: "A tool is needed." };
    yield { type: "call", index: 0, name: said === "work" ? "work.do" : "shop.order" };
    yield { type: "params", index: 0, text: JSON.stringify(said === "work" ? {} : { what: "tea", program }) };
    yield finish("calls");
    return;
  } else yield text("I got **" + said.split("\\n").length + "** lines: " + said.split("\\n").join(" / "));
  yield finish("stop");
} };
export default defineAgent({ name: "tester", instructions: "Test.", model, tools: [work, order] });`;

const OTHER_MODEL = "anthropic:claude-sonnet-5";
const STATUS = /offline · \S+\/200k tokens · \$0\.00/g;

describe.skipIf(tmux.path === null)(`the chat in a terminal${tmux.path === null ? ` (${tmux.reason})` : ""}`, () => {
  let bench: CliBench;
  let terminal: TmuxTerminal;
  let conversation: string;

  const start = (...args: readonly string[]) => terminal.types(`${process.execPath} ${BIN} chat ${args.join(" ")}\n`);
  const say = async (text: string) => {
    await terminal.types(text);
    await terminal.presses("Enter");
  };
  /** The prompt is empty, and the last row is a status line without an activity. */
  const isIdle = () => terminal.sees(/^>\n+offline · [^\n]*\n*$/m);

  beforeAll(async () => {
    bench = await CliBench.open();
    await bench.write("cairn.config.ts", CONFIG);
    await bench.write("my notes.md", "Notes.");
    const other = { CAIRN_MODELS: OTHER_MODEL, ANTHROPIC_API_KEY: "none" };
    const env = { ...childEnv(), ...other, HOME: bench.folder };
    terminal = await TmuxTerminal.open({ tmux: tmux.path ?? "", cwd: bench.folder, env, width: 80, height: 24 });
    // The prompt is set by a command, because some shells ignore the prompt in their environment.
    await terminal.sees(/[#$] *$/m);
    await say("PS1='sh''ell: '; clear");
    await terminal.sees(/^shell: *$/m);
    await say("stty -g > before");
    await start();
    const screen = await isIdle();
    conversation = /Conversation (\S+)/.exec(screen)?.[1] ?? "";
  });
  afterAll(async () => {
    await terminal?.[Symbol.asyncDispose]();
    await bench?.[Symbol.asyncDispose]();
  });

  it("three pasted lines are one message", async () => {
    await terminal.pastes("one\ntwo\nthree");
    await terminal.sees(/^> one\n {2}two\n {2}three\n/m);
    await terminal.presses("Enter");
    await terminal.sees("I got 3 lines: one / two / three");
    await isIdle();
  });

  it("Alt+Enter and a backslash at the end of a line begin a new line of the message", async () => {
    await terminal.types("first");
    await terminal.presses("M-Enter");
    await terminal.types("second\\");
    await terminal.presses("Enter");
    await terminal.sees(/^> first\n {2}second\n/m);
    await say("third");
    await terminal.sees("I got 3 lines: first / second / third");
    await isIdle();
  });

  it("the history has complete earlier messages, and Ctrl-C clears the line", async () => {
    await terminal.presses("Up");
    await terminal.sees(/^> first\n {2}second\n {2}third\n+offline/m);
    await terminal.presses("C-c");
    await isIdle();
  });

  it("Tab completes commands and file names, and an unknown command names those that exist", async () => {
    await terminal.types("/fo");
    await terminal.presses("Tab");
    await terminal.sees(/^> \/fork/m);
    await terminal.presses("C-u");
    await terminal.types("/attach my");
    await terminal.presses("Tab");
    await terminal.sees(/^> \/attach my\\ notes\.md/m);
    await terminal.presses("Enter");
    await terminal.sees("my notes.md (text/markdown) will be sent with your next message.");
    await say("/nonsense");
    await terminal.sees(/Unknown command \/nonsense\. There are: \/help, /);
    await isIdle();
  });

  it("Ctrl-C cancels a turn, the status line shows what runs, and the next message is answered", async () => {
    await say("work");
    await terminal.sees(/running work\.do \d+ s · offline/);
    await terminal.presses("C-c");
    await terminal.sees("(stopped)");
    await isIdle();
    await say("again");
    await terminal.sees("I got 1 lines: again");
    await isIdle();
  });

  it("an approval names each parameter on a line, and shows all of a long one when asked", async () => {
    await say("order");
    const asked = await terminal.sees(/Allow shop\.order\? \[y\/N, a: always in this conversation, v: view all of it/);
    expect(asked).toMatch(/^ {2}what: tea\n {2}program: line 1\n {4}line 2\n/m);
    expect(asked).not.toContain("line 20");
    await say("v");
    await terminal.sees(/ {4}line 20\n/);
    await say("y");
    await terminal.sees("The tool has ended.");
    await isIdle();
  });

  it("a resize while text streams leaves nothing behind, and the growing table fits the new width", async () => {
    await say("/new");
    await terminal.sees(/^> \/new\nConversation conv_\S+\n>\n/m);
    await terminal.presses("C-l");
    await terminal.sees(/^>\n+offline/);
    await say("stream");
    await terminal.sees(/茶 +│ growing/);
    await terminal.resize(50, 20);
    await terminal.sees(/tea +│ a remark that is so long that it must be\n +│ wrapped at fifty columns\n茶/);
    await terminal.resize(100, 30);
    await terminal.sees(/tea +│ a remark that is so long that it must be wrapped at fifty columns\n茶/);
    await writeFile(join(bench.folder, "go"), "");
    await terminal.sees("The very end.");
    await isIdle();
    const all = (await terminal.read(true)).slice(-100_000);
    const shown = all.slice(all.lastIndexOf("> stream"));
    for (const once of ["A heading of the answer", "A first paragraph", "growing no more", "The very end."])
      expect(shown.split(once), once).toHaveLength(2);
    expect(shown.match(STATUS)).toHaveLength(1);
    expect(shown.match(/growing/g)).toHaveLength(1);
    await terminal.resize(80, 24);
    await isIdle();
  });

  it("/model, /cost, /fork and /resume do what they say", async () => {
    await say("/model");
    await terminal.sees(/^\* offline/m);
    await say("/cost");
    await terminal.sees(/^offline +│ +1 │/m);
    await say("/fork");
    await terminal.sees(/This is a copy of conv_\S+, up to turn 1\./);
    await terminal.sees(/Continuing: Fork of \S/);
    await isIdle();
    await say(`/resume ${conversation}`);
    await terminal.sees(
      /^> order\n◦ reasoning, 4 words: A tool is needed\.\n→ shop\.order[\s\S]*◦ reasoning, 4 words: The tea is there\.\nThe tool has ended\./m,
    );
    await isIdle();
  });

  it("Ctrl-Z suspends the chat, and fg continues it", async () => {
    await terminal.types("half a mes");
    await terminal.presses("C-z");
    await terminal.sees(/shell: *$/m);
    await say("fg");
    await terminal.sees(/^> half a mes\n+offline/m);
    await say("sage");
    await terminal.sees("I got 1 lines: half a message");
    await isIdle();
  });

  it("a continued conversation shows its last turns, with the history and the model of earlier sessions", async () => {
    await say(`/model ${OTHER_MODEL}`);
    await terminal.sees(/^>\n+anthropic:claude-sonnet-5 · /m);
    await terminal.presses("C-d");
    await terminal.sees(new RegExp(`To continue: cairn chat --conversation ${conversation}\\s+shell:`));
    await say("clear");
    await start("-c", conversation);
    await terminal.sees(/^>\n+anthropic:claude-sonnet-5 · /m);
    await terminal.presses("Up");
    await terminal.sees(/^> \/model anthropic:claude-sonnet-5\n+anthropic:/m);
    await terminal.presses("C-c");
    await say("/model offline");
    const screen = await isIdle();
    expect(screen).toContain("> again\nI got 1 lines: again\n");
    expect(screen).toContain("> half a message\nI got 1 lines: half a message\n");
  });

  it("SIGTERM ends the chat, and the terminal is as before", async () => {
    process.kill(Number(await readFile(join(bench.folder, "pid"), "utf8")), "SIGTERM");
    await terminal.sees(/Terminated[\s\S]*shell: *$/m);
    await say("stty -g > after; echo do''ne");
    await terminal.sees(/^done$/m);
    const [before, after] = await Promise.all(
      ["before", "after"].map((name) => readFile(join(bench.folder, name), "utf8")),
    );
    expect(after).toBe(before);
  });
});
