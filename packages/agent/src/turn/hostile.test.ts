/** Tests turns under everything that users, tools and models may do to them. */
import { TurnBench } from "@cairn/testkit/turns";
import { type BlobRef, type EventBody, makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { reactTools } from "../react/react-tools.ts";
import { type AnyTool, defineTool } from "../tool/tool.ts";

const TS = "2026-02-09T10:00:00Z";
const custom = (run: AnyTool["run"], options: Partial<AnyTool> = {}) =>
  defineTool({ id: "shop.do", description: "Does.", params: z.object({ n: z.number().optional() }), run, ...options });
const call = (n = 1) => ({ name: "shop__do", input: { n } });
const LONE = "half \ud83d of a pair";

describe("text that contains half a surrogate pair", () => {
  it.each(["message", "attachment", "result", "error", "notice", "feedback"])(
    "of a %s is sent well formed",
    async (place) => {
      const tool = custom(async () => {
        if (place === "error") return { ok: false, error: { code: LONE, message: LONE } };
        if (place === "result") return { ok: true, ret: { [LONE]: LONE } };
        return (scribe) => {
          scribe.notice(LONE, LONE);
          scribe.result(LONE, "text/plain");
        };
      });
      await using bench = await TurnBench.open({ agent: { tools: [tool] } });
      const { ref } = await bench.store.putBlob(bench.key, [Buffer.from("x")]);
      const attachments = place === "attachment" ? [{ name: LONE, mime: "text/plain", blob: ref, size_bytes: 1 }] : [];
      const message = place === "message" ? LONE : "Go";
      await bench.append(makeEvent("input.received", { key: "1", mode: "turn", message, attachments, ts: TS }));
      if (place === "feedback")
        await bench.append(makeEvent("feedback.received", { key: "f", turn_id: "t", reaction: LONE, ts: TS }));
      bench.simulator.script([{ reply: { calls: [call()] } }, { reply: { text: "Done." } }]);
      expect(await bench.run()).toMatchObject({ end: { exit: "complete" } });
      for (const { request } of bench.simulator.requests)
        expect(request?.texts.every((text) => text.isWellFormed())).toBe(true);
      expect(await bench.turn("Again")).toMatchObject({ status: "ended" });
    },
  );
});

describe("a message", () => {
  it("with a name that no file system accepts is stored under a valid name", async () => {
    await using bench = await TurnBench.open();
    const { ref } = await bench.store.putBlob(bench.key, [Buffer.from("The bridge is high.")]);
    const attachments = [`${"ü".repeat(400)}.txt`, "a\u0000\nb.txt", "   ", "CON"].map((name) => ({
      name,
      mime: "text/plain",
      blob: ref as BlobRef,
      size_bytes: 19,
    }));
    await bench.append(makeEvent("input.received", { key: "1", mode: "turn", message: "", attachments, ts: TS }));
    bench.simulator.script([
      {
        reply: ({ texts }) => {
          const paths = [...texts.join("\n").matchAll(/\[path: (fi:.*)\]/g)].map(([, path]) => path ?? "");
          return { calls: [{ name: "react__read", input: { paths } }] };
        },
      },
      { reply: { text: "Read." } },
    ]);
    expect(await bench.run()).toMatchObject({ end: { exit: "complete" } });
    const status = (await bench.blocks()).find(({ type }) => type === "react.tool.result");
    expect(JSON.parse(status?.text ?? "{}")).toMatchObject({ missing: [] });
    const contents = (await bench.blocks()).filter(({ text }) => text === "The bridge is high.");
    expect(contents).toHaveLength(4);
  });

  it("without text is titled by its attachment", async () => {
    await using bench = await TurnBench.open();
    const { ref } = await bench.store.putBlob(bench.key, [Buffer.from("x")]);
    const attachments = [{ name: "menu.txt", mime: "text/plain", blob: ref as BlobRef, size_bytes: 1 }];
    await bench.append(makeEvent("input.received", { key: "1", mode: "turn", message: " ", attachments, ts: TS }));
    bench.simulator.script([{ reply: { text: "Seen." } }]);
    await bench.run();
    expect((await bench.store.getConversation(bench.key)).title).toBe("menu.txt");
  });

  it("a message that asks for a turn id that is taken or invalid gets another", async () => {
    await using bench = await TurnBench.open();
    for (const [n, turn_id] of ["turn_x", "turn_x", "no turn", "turn_.."].entries()) {
      const input = { key: `${n}`, mode: "turn" as const, message: `Message ${n}`, attachments: [], ts: TS, turn_id };
      await bench.append(makeEvent("input.received", input));
      bench.simulator.script([{ reply: { text: `Answer ${n}` } }]);
      expect(await bench.run()).toMatchObject({ end: { exit: "complete", text: `Answer ${n}` } });
    }
    const turns = (await bench.store.turns(bench.key)).items.map(({ turn_id }) => turn_id);
    expect(new Set(turns).size).toBe(4);
    expect(turns[0]).toBe("turn_x");
    for (const turn of turns) expect(turn).toMatch(/^turn_[\w-]+$/);
  });
});

describe("consent", () => {
  const asking = (effects: number[]) =>
    custom(
      async ({ n }: { n?: number }) => {
        effects.push(n ?? 0);
        return { ok: true, ret: n ?? 0 };
      },
      { approval: "always" },
    );
  const approvalsOf = async (bench: TurnBench) => [
    ...(await bench.store.load(bench.key)).state.approvalsRequested.values(),
  ];
  const give = (asked: EventBody<"approval.requested">, approve: boolean, key: string) => {
    const { hash, call_id } = asked;
    return makeEvent("approval.given", { key, call_id, approve, ts: TS, ...(hash === undefined ? {} : { hash }) });
  };

  it("consent that arrives while the turn is suspending takes effect at once", async () => {
    const effects: number[] = [];
    const slow = defineTool({
      id: "shop.slow",
      description: "Slow.",
      params: z.object({}),
      run: async () => {
        for (const asked of await approvalsOf(bench)) await bench.append(give(asked, true, asked.call_id));
        return { ok: true };
      },
    });
    await using bench = await TurnBench.open({ agent: { tools: [asking(effects), slow] } });
    bench.simulator.script([
      { reply: { calls: [call(), { name: "shop__slow", input: {} }] } },
      { reply: { text: "Done." } },
    ]);
    expect(await bench.turn("Go")).toMatchObject({ status: "ended", end: { text: "Done." } });
    expect(effects).toEqual([1]);
  });

  it("consent that is given and withdrawn makes the call at most once; consent that is refused twice never does", async () => {
    for (const answers of [
      [true, false],
      [false, true],
      [false, false],
    ]) {
      const effects: number[] = [];
      await using bench = await TurnBench.open({ agent: { tools: [asking(effects)] } });
      bench.simulator.script([{ reply: { calls: [call()] } }, { reply: { text: "Done." } }]);
      expect(await bench.turn("Go")).toMatchObject({ status: "waiting" });
      const [asked = expect.unreachable()] = await approvalsOf(bench);
      for (const [n, approve] of answers.entries()) await bench.append(give(asked, approve, `${n}`));
      await bench.append(give({ ...asked, call_id: "tc_nobody" }, true, "other"));
      expect(await bench.run()).toMatchObject({ end: { text: "Done." } });
      await bench.append(give(asked, true, "late"));
      expect(await bench.run()).toEqual({ status: "idle" });
      expect(effects.length).toBeLessThanOrEqual(answers.includes(true) ? 1 : 0);
    }
  });

  it("delays a steering message too, which the next decision sees", async () => {
    const effects: number[] = [];
    await using bench = await TurnBench.open({ agent: { tools: [asking(effects)] } });
    bench.simulator.script([
      { reply: { calls: [call()] } },
      { when: ({ texts }) => texts.join("").includes("Make it two"), reply: { text: "Two." } },
    ]);
    expect(await bench.turn("Go")).toMatchObject({ status: "waiting" });
    await bench.say("Make it two", "steer");
    expect(await bench.run()).toMatchObject({ status: "waiting" });
    const [asked = expect.unreachable()] = await approvalsOf(bench);
    await bench.append(give(asked, false, "no"));
    expect(await bench.run()).toMatchObject({ end: { text: "Two." } });
  });
});

describe("a question to the user", () => {
  it("beside other calls is refused, because the calls would be lost silently", async () => {
    const effects: number[] = [];
    const tool = custom(async () => {
      effects.push(1);
      return { ok: true };
    });
    await using bench = await TurnBench.open({ agent: { tools: [tool] } });
    const question = { name: "ask_user", input: { question: "Which?" } };
    bench.simulator.script([{ reply: { calls: [call(), question] } }, { reply: { calls: [question] } }]);
    expect(await bench.turn("Go")).toMatchObject({ end: { exit: "clarify", text: "Which?" } });
    const notice = (await bench.blocks()).find(({ type }) => type === "react.notice");
    expect(notice?.text).toContain("protocol_violation.question_not_alone");
    expect(effects).toEqual([]);
  });
});

describe("an answer that is too long every time", () => {
  it("is given up to where it was cut off", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([{ reply: { text: "Once upon a time", truncated: true }, times: 9 }]);
    expect(await bench.turn("Tell")).toMatchObject({
      end: { exit: "complete", text: expect.stringMatching(/^Once upon a time…\n\n\(The answer was cut off/) },
    });
  });
});

describe("a result that is too long", () => {
  it("is kept up to four million characters, and the model is told", async () => {
    const long = custom(async () => ({ ok: true, ret: "x".repeat(4_000_001) }));
    await using bench = await TurnBench.open({ agent: { tools: [long] } });
    bench.simulator.script([{ reply: { calls: [call()] } }, { reply: { text: "Done." } }]);
    expect(await bench.turn("Go")).toMatchObject({ end: { exit: "complete" } });
    const { state } = await bench.store.load(bench.key);
    const texts = state.window.map(({ block }) => ("text" in block ? String(block.text) : ""));
    expect(Math.max(...texts.map(({ length }) => length))).toBe(4_000_000 + "...[truncated]".length);
    expect(texts.join("\n")).toContain("The result has 4000001 characters; the first 4000000 were kept.");
  });
});

describe("hiding", () => {
  it("and reading the same path in one decision leaves two results and the text in view or readable", async () => {
    await using bench = await TurnBench.open({
      agent: { tools: [...reactTools(), custom(async () => ({ ok: true, ret: "long text" }))] },
    });
    let path = "";
    bench.simulator.script([
      { reply: { calls: [call()] } },
      {
        reply: ({ texts }) => {
          path = /tc:\S+\.result/.exec(texts.join("\n"))?.[0] ?? "";
          return {
            calls: [
              { name: "react__hide", input: { path, replacement_text: "gone" } },
              { name: "react__read", input: { paths: [path] } },
              { name: "react__hide", input: { path, replacement_text: "gone again" } },
            ],
          };
        },
      },
      { reply: { text: "Done." } },
    ]);
    expect(await bench.turn("Go")).toMatchObject({ end: { exit: "complete" } });
    expect(bench.simulator.requests.every(({ status }) => status === 200)).toBe(true);
    const { state } = await bench.store.load(bench.key);
    expect(state.unsettled.size).toBe(0);
    expect((await bench.store.findByPath(bench.key, path))?.artifact.text).toBe("long text");
  });
});

describe("a file that the provider rejects", () => {
  const png = Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x1c\0\0\0\x1c", "latin1"),
    Buffer.alloc(9),
  ]);
  const attach = async (bench: TurnBench, n: number) => {
    const { ref } = await bench.store.putBlob(bench.key, [Buffer.concat([png, Buffer.from([n])])]);
    const attachments = [{ name: `${n}.png`, mime: "image/png", blob: ref as BlobRef, size_bytes: png.length + 1 }];
    await bench.append(makeEvent("input.received", { key: `${n}`, mode: "turn", message: "See", attachments, ts: TS }));
    return ref;
  };
  const images = (bench: TurnBench) =>
    bench.simulator.requests.map(({ body }) => JSON.stringify(body).split('"type":"image"').length - 1);
  const refusal = { reply: { fault: "status" as const, status: 400, message: "Could not process image" } };

  it("is removed from view, the model is given the reason, and the conversation continues", async () => {
    await using bench = await TurnBench.open();
    await attach(bench, 1);
    bench.simulator.script([{ reply: { text: "A square." } }]);
    await bench.run();
    await attach(bench, 2);
    bench.simulator.script([refusal, { reply: { text: "I cannot see it." } }]);
    expect(await bench.run()).toMatchObject({ end: { exit: "complete", text: "I cannot see it." } });
    expect(images(bench)).toEqual([1, 2, 1]);
    const shown = bench.simulator.requests.at(-1)?.request?.texts.join("\n");
    expect(shown).toMatch(/\[NOT SHOWN\] fi:\S+2\.png \(image\/png\): .*Could not process image/);
    bench.simulator.script([refusal, { reply: { text: "No pictures, then." } }]);
    expect(await bench.turn("And now?")).toMatchObject({ end: { text: "No pictures, then." } });
    expect(images(bench).slice(3)).toEqual([1, 0]);
    bench.simulator.script([refusal]);
    expect(await bench.turn("Still?")).toMatchObject({ end: { exit: "error" } });
  });

  it("is also removed from view when its bytes are gone", async () => {
    await using bench = await TurnBench.open();
    const ref = await attach(bench, 1);
    bench.simulator.script([{ reply: { text: "A square." } }]);
    await bench.run();
    await bench.store.blobs.delete(bench.key.tenant, ref);
    bench.simulator.script([{ reply: { text: "It is gone." } }]);
    expect(await bench.turn("And now?")).toMatchObject({ end: { exit: "complete", text: "It is gone." } });
    expect(bench.simulator.requests.at(-1)?.request?.texts.join("\n")).toContain("its bytes are gone");
  });
});
