/**
 * Tests the first session of a new user with the real process: attach a file, ask, get a report, be killed in the
 * middle, continue.
 */
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { openEmbeddedStore } from "@cairn/store";
import { ModelSimulator } from "@cairn/testkit/models";
import { onePagePdf } from "@cairn/testkit/pdf";
import { LOCAL_SCOPE } from "cairn-agent/process";
import { describe, expect, it } from "vitest";
import { AGENT, CliBench, type Ran, ZOD } from "../../test/cli-bench.ts";
import type { Answer } from "./conversation/answer.ts";

const RAILWAY = onePagePdf([
  "The suspension railway opened in 1901 and carries 80000 people a day.",
  "Its track is 13.3 kilometres long.",
]);

const idOf = ({ stderr }: Ran) => /^Conversation (\S+)$/m.exec(stderr)?.[1] ?? "";
const answersOf = ({ stdout }: Ran): Answer[] =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** An agent that writes slowly, so that the test can interrupt it. */
const SLOW = `import { defineAgent, offlineModel, reactTools } from ${JSON.stringify(AGENT)};
export default defineAgent({ name: "slow", instructions: "Help.", model: offlineModel({ delayMs: 100 }), tools: reactTools() });`;

describe("a new user", () => {
  it("attaches a PDF, asks, and gets an answer with citations, then a report as a file", async () => {
    await using bench = await CliBench.open();
    await bench.write("railway.pdf", RAILWAY);
    const ran = await bench.spawn(["chat", "--attach", "railway.pdf"], {
      input: "How long is the track?\nWrite a report about the railway\n",
    });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain("“Its track is 13.3 kilometres long.” (page 1) railway.pdf");
    expect(ran.stdout).toMatch(/^\[1\] railway\.pdf {2}fi:turn_\S+\.user\.attachments\/railway\.pdf$/m);
    const file = /^fi:\S+\/the-railway\.md {2}(\S+)$/m.exec(ran.stdout)?.[1] ?? "";
    expect(await readFile(file, "utf8")).toContain("opened in 1901");
    expect(ran.stderr).toContain("✓ 1) Read what there is");
    expect(ran.stderr).toContain("→ react.write");
  });

  it("is killed in the middle, and the turn is finished by the next process, with nothing done twice", async () => {
    await using bench = await CliBench.open();
    await bench.write("railway.pdf", RAILWAY);
    await bench.write("cairn.config.ts", SLOW);
    const killed = await bench.spawn(["chat", "-a", "railway.pdf"], {
      input: "Write a report about the railway\n",
      onProgress: (stderr, child) => {
        if (stderr.includes("→ react.write")) child.kill("SIGKILL");
      },
    });
    expect(killed).toMatchObject({ signal: "SIGKILL", stdout: "" });
    const id = idOf(killed);

    const resumed = await bench.spawn(["chat", "-c", id, "--json"]);
    expect(resumed).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("interrupted turn: Write a report about the railway"),
    });
    const [answer] = answersOf(resumed);
    expect(answer).toMatchObject({ conversation: id, exit: "complete", citations: [{ sid: 1, title: "railway.pdf" }] });
    expect(answer?.files.map(({ path }) => path)).toEqual([expect.stringMatching(/the-railway\.md$/)]);
    expect(await readFile(answer?.files[0]?.local ?? "", "utf8")).toContain("opened in 1901");

    const shown = await bench.run(["show", id, "--json"]);
    expect(shown.stdout.trim().split("\n")).toHaveLength(2);
    expect(await bench.run(["doctor"])).toMatchObject({ code: 0 });
    for (const n of ["1", "2", "3", "4"])
      expect(await bench.run(["render", id, "--request", n])).toMatchObject({ code: 0, stderr: "" });
  });

  it("is told who holds the conversation, and that a dead process is being replaced", async () => {
    await using bench = await CliBench.open();
    const id = idOf(await bench.run(["chat"], { input: "Hello\n" }));
    const store = await openEmbeddedStore({ dir: join(bench.folder, ".cairn") });
    const nobody = 2 ** 31 - 1;
    await store.acquireLease({ ...LOCAL_SCOPE, conversation: id }, `${hostname()}:${nobody}`, 3_000);
    const ran = await bench.run(["chat", "-c", id, "--json"], { input: "Who are you?\n" });
    await store.close();
    expect(ran.stderr).toContain(`(process ${nobody}) has died. Taking over within 5 s…`);
    expect(answersOf(ran)).toMatchObject([{ exit: "complete" }]);
  });

  it("presses Ctrl-C: the turn ends, later lines are not sent, and the exit code says so", async () => {
    await using bench = await CliBench.open();
    await bench.write("notes.txt", "The bridge was built in 1897 by Anton Rieppel. ".repeat(3));
    await bench.write("cairn.config.ts", SLOW);
    const ran = await bench.spawn(["chat", "-a", "notes.txt", "--json"], {
      input: "Who built the bridge?\nThis line is not sent\n",
      onProgress: (stderr, child) => {
        if (/→ react\.read/.test(stderr) && !stderr.includes("Stopping")) child.kill("SIGINT");
      },
    });
    expect(ran.code).toBe(130);
    expect(answersOf(ran)).toMatchObject([{ exit: "cancelled" }]);
    expect((await bench.run(["chat", "-c", idOf(ran), "--json"])).stdout).toBe("");
    expect((await bench.run(["show", idOf(ran)])).stdout).not.toContain("not sent");
  });

  it("gets the same with a provider's model", async () => {
    await using bench = await CliBench.open();
    await using simulator = await ModelSimulator.start({ countTokens: (text) => Math.ceil(text.length / 4) });
    simulator.script([
      { when: ({ lastText }) => lastText.includes("a title"), reply: { text: "Opening of the railway" } },
      { reply: { calls: [{ id: "toolu_1", name: "react__plan", input: { mode: "new", steps: ["Look"] } }] } },
      { reply: { text: "It opened in 1901 [[S:1]]." } },
    ]);
    await bench.write("railway.pdf", RAILWAY);
    const ran = await bench.spawn(["chat", "-a", "railway.pdf", "--json"], {
      input: "When did it open?\n",
      env: {
        CAIRN_MODEL: "anthropic:claude-sonnet-5",
        ANTHROPIC_API_KEY: "test",
        ANTHROPIC_BASE_URL: simulator.baseUrl,
      },
    });
    expect(ran.stderr).toContain("□ 1) Look");
    expect(answersOf(ran)).toMatchObject([{ exit: "complete", text: "It opened in 1901 railway.pdf." }]);
    expect(simulator.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await bench.run(["list"])).stdout).toContain("Opening of the railway");
  });
});

it("a program that ended with an error is shown as failed", async () => {
  await using bench = await CliBench.open();
  const input = "Please run this: ```python\nraise ValueError('no tea')\n```\n";
  const ran = await bench.run(["chat", "--json"], { input });
  expect(ran.stderr).toMatch(/✗ exec_tools\.execute_code_python failed: execution_failed — ValueError: no tea/);
});

describe("consent", () => {
  const SHOP = `import { defineAgent, defineTool, offlineModel } from ${JSON.stringify(AGENT)};
import { z } from ${JSON.stringify(ZOD)};
const order = defineTool({ id: "shop.order", description: "Orders.", params: z.object({ what: z.string() }), approval: "always",
  run: async ({ what }) => ({ ok: true, ret: { ordered: what } }) });
const model = { ...offlineModel(), stream: async function* ({ view }) {
  const settled = [...view].some((message) => message.type === "text" && message.text.includes("ordered"));
  if (settled) yield { type: "text", text: "Ordered." };
  else { yield { type: "call", index: 0, name: "shop.order" }; yield { type: "params", index: 0, text: '{"what":"tea"}' }; }
  yield { type: "finish", reason: settled ? "stop" : "calls", usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } };
} };
export default { agents: [defineAgent({ name: "shop", instructions: "Sell.", model, tools: [order] })] };`;

  it("a call that needs approval waits when nobody can answer, and continues when somebody approves", async () => {
    await using bench = await CliBench.open();
    await bench.write("cairn.config.ts", SHOP);
    const waiting = await bench.run(["chat", "--json"], { input: "Tea please\nAnd cake\n" });
    expect(waiting).toMatchObject({ code: 4, stderr: expect.stringContaining("Waiting for approval: shop.order tea") });
    const id = idOf(waiting);
    expect(JSON.parse(waiting.stdout)).toMatchObject({ conversation: id, status: "waiting" });
    const agreed = await bench.run(["chat", "-c", id, "--yes", "--json"]);
    expect(agreed.code).toBe(0);
    expect(answersOf(agreed)).toMatchObject([{ text: "Ordered." }]);
  });

  it("a call that its client runs is not approved by --yes, and says what it waits for", async () => {
    await using bench = await CliBench.open();
    await bench.write("cairn.config.ts", SHOP.replace('approval: "always"', "traits: { client: true }"));
    const waiting = await bench.run(["chat", "--yes", "--json"], { input: "Tea please\n" });
    expect(waiting.stderr).toContain("Waiting for the client program that runs the call: shop.order tea");
    expect(waiting.code).toBe(4);
  });

  it("a call of a tool that a policy now refuses is not made, and is shown as refused", async () => {
    await using bench = await CliBench.open();
    await bench.write("cairn.config.ts", SHOP);
    const waiting = await bench.run(["chat", "--json"], { input: "Tea please\n" });
    const refusing = SHOP.replace("export default {", 'export default { policies: { "shop.order": "refuse" },');
    await bench.write("cairn.config.ts", refusing);
    // A separate process, because this one has already loaded the configuration.
    const agreed = await bench.spawn(["chat", "-c", idOf(waiting), "--yes", "--json"]);
    expect(agreed.stderr).toMatch(/⊘ shop\.order refused: The call was not made/);
  });
});

describe("a chat that cannot begin says why in one line", () => {
  it.each([
    [["chat", "--attach", "none.pdf"], {}, 2, "none.pdf cannot be attached: there is no such file."],
    [["chat", "-c", "none"], {}, 3, "There is no conversation none. Run cairn list to see all conversations."],
    [["chat", "--agent", "none"], {}, 2, 'There is no agent "none". The configuration defines: cairn.'],
    [["chat", "--loud"], {}, 2, "Unknown option '--loud'"],
    [["chat"], { CAIRN_MODEL: "gpt" }, 2, '"gpt" is not a model'],
    [["chat"], { CAIRN_MODEL: "openai:gpt-5" }, 2, "openai:gpt-5 needs an API key. Set OPENAI_API_KEY."],
    [["chat"], { CAIRN_DATABASE_URL: "mysql://x" }, 2, "CAIRN_DATABASE_URL must begin with postgres://"],
  ])("%j %j", async (args, env, code, message) => {
    await using bench = await CliBench.open();
    const ran = await bench.run(args, { env, input: "Hello\n" });
    expect(ran).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(`cairn: ${message}`) });
    expect(ran.stderr).not.toContain("    at ");
  });
});

it("looking around leaves no conversation behind", async () => {
  await using bench = await CliBench.open();
  expect(await bench.run(["chat"], { input: "\n/files\n/quit\nHello\n" })).toMatchObject({ code: 0, stdout: "" });
  expect(await bench.run(["list"])).toMatchObject({ code: 0, stdout: "" });
});

it("commands in a pipe attach and list files", async () => {
  await using bench = await CliBench.open();
  await bench.write("my notes.md", "The password of the library is Ariadne.");
  const ran = await bench.run(["chat"], {
    input: '/attach nothing.md\n/attach "my notes.md"\nWhat is the password of the library?\n/files\n',
  });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("nothing.md cannot be attached");
  expect(ran.stdout).toContain("“The password of the library is Ariadne.”");
  const local = /^fi:\S+\/my notes\.md {2}(.+)$/m.exec(ran.stdout.slice(ran.stdout.lastIndexOf("\nfi:")))?.[1] ?? "";
  expect(await readFile(local, "utf8")).toContain("Ariadne");
});

it("attachments above the upload limit of the settings are refused, and leave no conversation behind", async () => {
  await using bench = await CliBench.open();
  await bench.write("large.txt", "a".repeat(1_000_001));
  const env = { CAIRN_UPLOAD_MB: "1" };
  const ran = await bench.run(["chat", "-a", "large.txt"], { env, input: "Read it\n" });
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain("The attachments have 1000001 bytes; at most 1000000 are allowed.");
  expect(await bench.run(["list"])).toMatchObject({ code: 0, stdout: "" });
});

it("a message records its turn, and the agent when it is not the one of the conversation", async () => {
  await using bench = await CliBench.open();
  const define = (name: string) =>
    `defineAgent({ name: "${name}", instructions: "Help.", model: offlineModel(), tools: [] })`;
  await bench.write(
    "cairn.config.ts",
    `import { defineAgent, offlineModel } from ${JSON.stringify(AGENT)};
export default { agents: [${define("first")}, ${define("second")}] };`,
  );
  const conversation = idOf(await bench.run(["chat"], { input: "Hello\n" }));
  await bench.run(["chat", "-c", conversation, "--agent", "second"], { input: "Hello\n" });
  const store = await openEmbeddedStore({ dir: join(bench.folder, ".cairn") });
  const events = await store.readEvents({ ...LOCAL_SCOPE, conversation });
  await store.close();
  const sent = events.flatMap(({ event }) => ("unknown" in event || event.kind !== "input.received" ? [] : event.body));
  const turn_id = expect.stringMatching(/^turn_/);
  expect(sent.map(({ turn_id: turn, agent }) => ({ turn_id: turn, agent }))).toEqual([
    { turn_id, agent: undefined },
    { turn_id, agent: "second" },
  ]);
});

it("attachments without a message are not sent, and the exit code says so", async () => {
  await using bench = await CliBench.open();
  await bench.write("a.txt", "a");
  expect(await bench.run(["chat", "-a", "a.txt"])).toMatchObject({ code: 2 });
});
