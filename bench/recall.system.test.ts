import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import type { InViewResult } from "./recall/in-view.ts";
import type { RecallResult } from "./recall/measure-recall.ts";
import { readSet } from "./recall/read-set.ts";
import { hasRivals } from "./rivals.ts";

const run = promisify(execFile);
const program = fileURLToPath(new URL("recall.ts", import.meta.url));

describe("bench:recall --json", () => {
  test("measures every contender on our own set and on a made-up scope; the store finds most", async () => {
    const { stdout } = await run(process.execPath, [program, "--json", "--messages", "300"]);
    const { results, in_view } = JSON.parse(stdout) as { results: RecallResult[]; in_view: InViewResult[] };
    expect(in_view).toEqual([{ set: "our own", about: "all", questions: 32, in_view: 1, within_two_reads: 1 }]);
    expect(new Set(results.map(({ set }) => set))).toEqual(new Set(["our own", "300 messages"]));
    const own = results.filter(({ set }) => set === "our own");
    expect(own.map(({ contender }) => contender)).toEqual([
      "store",
      "store, every word",
      "SQLite FTS5, porter, bm25",
      ...(hasRivals() ? ["MiniSearch", "Orama, English stemming"] : []),
    ]);
    const [store, ...others] = own.map(({ recall }) => recall[1] ?? 0);
    expect(store).toBeGreaterThan(0.9);
    expect(store).toBeGreaterThan(Math.max(...others));
  });
});

describe("a set of conversations", () => {
  const dir = mkdtempSync(join(tmpdir(), "cairn-recall-"));
  afterAll(() => rmSync(dir, { recursive: true }));
  const read = (name: string, data: unknown) => {
    const file = join(dir, name);
    writeFileSync(file, JSON.stringify(data));
    return readSet(file).conversations;
  };

  test("is read as LoCoMo publishes it", () => {
    const conversation = {
      speaker_a: "Ann",
      speaker_b: "Ben",
      session_2: [{ speaker: "Ben", dia_id: "D2:1", text: "Bye." }],
      session_2_date_time: "1 May",
      session_1: [{ speaker: "Ann", dia_id: "D1:1", text: "Hi.", blip_caption: "a photo of a cat" }],
    };
    const qa = [{ question: "Who?", answer: "Ann", evidence: ["D1:1; D2:1"], category: 1 }, { question: "When?" }];
    expect(read("locomo10.json", [{ sample_id: "1", conversation, qa }])).toEqual([
      {
        messages: [
          { id: "D1:1", role: "user", text: "Ann: Hi. [shares a photo of a cat]" },
          { id: "D2:1", role: "assistant", text: "Ben: Bye." },
        ],
        questions: [
          { question: "Who?", evidence: ["D1:1", "D2:1"] },
          { question: "When?", evidence: [] },
        ],
      },
    ]);
  });

  test("is read as LongMemEval publishes it", () => {
    const sessions = [
      [
        { role: "user", content: "I like jazz.", has_answer: true },
        { role: "assistant", content: "Nice." },
      ],
      [{ role: "user", content: "Bye.", has_answer: false }],
    ];
    const [first] = read("longmemeval_s.json", [{ question: "What do I like?", haystack_sessions: sessions }]);
    expect(first?.messages.map(({ id, role }) => [id, role])).toEqual([
      ["0", "user"],
      ["1", "assistant"],
      ["2", "user"],
    ]);
    expect(first?.questions).toEqual([{ question: "What do I like?", evidence: ["0"] }]);
  });

  test("is read as BEAM publishes it, with its questions beside it", () => {
    mkdirSync(join(dir, "probing_questions"));
    const questions = {
      recall: [{ question: "One?", source_chat_ids: [1] }],
      order: [{ question: "Zero?", source_chat_ids: [[0], [1]] }],
      none: [{ question: "No?", source_chat_ids: null }],
      update: [{ question: "Two?", source_chat_ids: { before: [0], after: [1] } }, { question: "Three?" }],
    };
    writeFileSync(join(dir, "probing_questions", "probing_questions.json"), JSON.stringify(questions));
    const turns = [[{ role: "user", id: 0, content: "a" }], [{ role: "assistant", id: 1, content: "b" }]];
    expect(read("chat.json", [{ batch_number: 1, turns }])).toEqual([
      {
        messages: [
          { id: "0", role: "user", text: "a" },
          { id: "1", role: "assistant", text: "b" },
        ],
        questions: [
          { question: "One?", evidence: ["1"], about: "recall" },
          { question: "Zero?", evidence: ["0", "1"], about: "order" },
          { question: "No?", evidence: [], about: "none" },
          { question: "Two?", evidence: ["0", "1"], about: "update" },
          { question: "Three?", evidence: [], about: "update" },
        ],
      },
    ]);
    rmSync(join(dir, "probing_questions"), { recursive: true });
  });

  test("in another form is refused", () => {
    expect(() => read("other.json", [{ text: "x" }])).toThrow("is not in a form this benchmark reads");
  });
});
