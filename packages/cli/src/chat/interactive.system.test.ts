/** Tests the chat at a terminal: input, output, and Ctrl-C. */
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { onePagePdf } from "@cairn/testkit/pdf";
import { expect, it, vi } from "vitest";
import { AGENT, CliBench, ZOD } from "../../test/cli-bench.ts";
import { runCommand } from "../run-command.ts";

const CTRL_C = "\x03";

/** Simulates a person at a terminal. */
class Person {
  readonly #stdin = Object.assign(new PassThrough(), { isTTY: true });
  readonly ended: Promise<number>;
  #screen = "";

  constructor(bench: CliBench, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
    const screen = () => {
      const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 200, rows: 50 });
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#screen += stripVTControlCharacters(text);
      });
      return stream;
    };
    const terminal = { stdin: this.#stdin, stdout: screen(), stderr: screen(), env, cwd: bench.folder };
    this.ended = runCommand(["chat", ...args], terminal);
  }

  get screen(): string {
    return this.#screen;
  }

  async sees(text: string | RegExp): Promise<void> {
    await vi.waitFor(() => expect(this.#screen).toMatch(text), { timeout: 60_000, interval: 5 });
  }

  /** Waits until the text was shown and no turn is running. */
  async isIdleAfter(text: string): Promise<void> {
    await this.sees(new RegExp(`${text}[^]*> \\r\\noffline [^\\n]*$`));
  }

  types(text: string): void {
    this.#stdin.write(text);
  }
}

/** Calls `work.do` once for each message and waits there. Then repeats the messages that arrived during the call. */
const WORKER = `import { defineAgent, defineTool, offlineModel } from ${JSON.stringify(AGENT)};
import { z } from ${JSON.stringify(ZOD)};
const wait = (ms, signal) => new Promise((done, fail) => { setTimeout(done, ms); signal.addEventListener("abort", () => fail(signal.reason)); });
const tool = (id, approval, ms) => defineTool({ id, description: "Works.", params: z.object({}), approval,
  run: async (_, { signal, progress }) => { progress("half done"); await wait(ms, signal); return { ok: true, ret: "worked" }; } });
const texts = (view) => [...view].map((message) => message.text ?? "").join("");
const model = { ...offlineModel(), stream: async function* ({ view }) {
  const turn = texts(view).split("[TURN ").at(-1);
  const finish = (reason) => ({ type: "finish", reason, usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } });
  if (/TOOL RESULT/.test(turn)) { yield { type: "text", text: "Done. " + (turn.includes("hurry") ? "I hurried." : "") + (turn.includes("approval_denied") ? "You refused." : "") }; yield finish("stop"); return; }
  yield { type: "text", text: "I begin." };
  yield { type: "call", index: 0, name: turn.includes("order") ? "work.order" : "work.do" };
  yield { type: "params", index: 0, text: "{}" };
  yield finish("calls");
} };
export default defineAgent({ name: "worker", instructions: "Work.", model, tools: [tool("work.do", "never", 60_000), tool("work.order", "always", 1)] });`;

it("an attached file is quoted with its source, and /quit says how to continue", async () => {
  await using bench = await CliBench.open();
  await bench.write("my railway.pdf", onePagePdf(["The track is 13.3 kilometres long."]));
  const person = new Person(bench);
  await person.sees("Cairn, with offline");
  person.types("/attach my\\ railway.pdf\r");
  await person.sees("my railway.pdf (application/pdf) will be sent with your next message.");
  person.types("/nonsense\r");
  await person.sees("Unknown command /nonsense");
  person.types("How long is the track?\r");
  await person.sees("“The track is 13.3 kilometres long.” (page 1) my railway.pdf");
  await person.sees(/\[1\] my railway\.pdf {2}fi:/);
  person.types("/files\r");
  await person.sees(/attachments\/my railway\.pdf {2}\//);
  person.types("/quit\r");
  expect(await person.ended).toBe(0);
  expect(person.screen).toMatch(/To continue: cairn chat --conversation conv_/);
});

it("a file that a message names with @ is attached, and other words with @ are words", async () => {
  await using bench = await CliBench.open();
  await bench.write("my railway.txt", "The track is 13.3 kilometres long.");
  const person = new Person(bench);
  person.types("/help\r");
  await person.sees("@ and a file name in a message: attach the file.");
  person.types("How long is the track in @my\\ railway.txt? Ask @nobody.\r");
  await person.sees("my railway.txt (text/plain) is attached.");
  await person.sees("“The track is 13.3 kilometres long.”");
  person.types("/files\r");
  await person.sees(/attachments\/my railway\.txt {2}\//);
  person.types("/quit\r");
  expect(await person.ended).toBe(0);
});

it("a message with attachments that are too large is refused, and the next one is sent without them", async () => {
  await using bench = await CliBench.open();
  await bench.write("cairn.config.ts", WORKER.replace("60_000", "1"));
  await bench.write("large.txt", "a".repeat(1_000_001));
  const person = new Person(bench, ["-a", "large.txt"], { CAIRN_UPLOAD_MB: "1" });
  person.types("Read it\r");
  await person.sees("The message was not sent, and its attachments were removed.");
  person.types("Work\r");
  await person.sees("Done.");
  person.types("/quit\r");
  expect(await person.ended).toBe(0);
  expect(person.screen.match(/were removed/g)).toHaveLength(1);
});

it("Ctrl-C stops the turn and the chat continues; with nothing running it quits", async () => {
  await using bench = await CliBench.open();
  await bench.write("cairn.config.ts", WORKER);
  const person = new Person(bench);
  await person.sees("> ");
  person.types("Work\r");
  await person.sees("half done");
  person.types(CTRL_C);
  await person.isIdleAfter("\\(stopped\\)");
  person.types("Please order\r");
  await person.sees("Allow work.order? [y/N, a: always in this conversation; a reason after a comma]");
  person.types("n\r");
  await person.isIdleAfter("Done\\. You refused\\.");
  person.types("Again: order\r");
  await person.sees(/You refused[\s\S]*Allow work\.order\? \[y\/N, a/);
  person.types("y\r");
  await person.isIdleAfter("Again[^]*Done\\.");
  person.types(CTRL_C);
  await person.sees("Press Ctrl-C again to leave.");
  person.types(CTRL_C);
  expect(await person.ended).toBe(130);
});

it("a second Ctrl-C quits at once, and the conversation can be continued", async () => {
  await using bench = await CliBench.open();
  await bench.write("cairn.config.ts", WORKER);
  const person = new Person(bench);
  person.types("Work\r");
  await person.sees("half done");
  person.types(CTRL_C + CTRL_C);
  expect(await person.ended).toBe(130);
  const id = /Conversation (\S+)/.exec(person.screen)?.[1] ?? "";
  expect((await bench.run(["chat", "-c", id])).code).toBe(130);
  expect((await bench.run(["show", id])).stdout).toContain("cancelled");
});

it("a line that is typed during a turn steers it", async () => {
  await using bench = await CliBench.open();
  await bench.write("cairn.config.ts", WORKER.replace("60_000", "300"));
  const person = new Person(bench);
  person.types("Work\r");
  await person.sees("half done");
  person.types("hurry\r");
  await person.sees("Done. I hurried.");
  person.types("/quit\r");
  expect(await person.ended).toBe(0);
});
