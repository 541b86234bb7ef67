/**
 * Tests documents that other programs wrote, as attachments of messages to the real server. The offline model quotes a
 * passage with its page, sheet or slide, and says which documents cannot be read and why.
 */
import { readFile } from "node:fs/promises";
import { documentFixture, docxOf } from "@cairn/testkit/fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerBench } from "../test/server-bench.ts";

let bench: ServerBench;
beforeAll(async () => {
  bench = await ServerBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** The last turn of a new conversation with one question and one attached document. */
async function ask(message: string, ...names: readonly string[]) {
  const id = await bench.converse();
  const attachments = await Promise.all(
    names.map(async (name) => ({ name, data: (await readFile(documentFixture(name))).toString("base64") })),
  );
  const { turns, sources } = await bench.say(id, message, { attachments });
  return { ...turns.at(-1), sources, id };
}

const answerOf = (turn: { readonly completion?: { readonly text?: string } | null }) => turn.completion?.text ?? "";

const DEPOSIT = "When is the deposit returned after the keys were handed over?";
const RETURNED = "“The deposit of 4500 euros is returned within ninety days after the keys were handed over.”";

describe("a question about an attached document is answered with the passage and its place", () => {
  it.each([
    ["Vertrag Müller.docx", DEPOSIT, `${RETURNED} (Vertrag Müller.docx, page 2)`],
    ["lease.odt", DEPOSIT, `${RETURNED} (lease.odt, page 2)`],
    ["lease.epub", DEPOSIT, `${RETURNED} (lease.epub, page 2)`],
    ["lease.pdf", DEPOSIT, `${RETURNED} (page 2) [[S:1]]`],
    ["lease.html", DEPOSIT, `${RETURNED} [[S:1]]`],
    ["sales.csv", "What about Solingen?", '“"Solingen",30.06.2026,800,-2.0%” [[S:1]]'],
    ["sales.csv", "What are the sales in Solingen?", "Sales: **800** · Region = Solingen (1 of the"],
    ["sales.xlsx", "What about Solingen?", "“Solingen | 2026-06-30 | 800 | -2.0%” (sales.xlsx, sheet Umsätze 2026)"],
    ["sales.xlsx", "Where does Zoë Ångström work?", "“Zoë Ångström | Malmö | 0” (sales.xlsx, sheet Staff)"],
    ["talk.pptx", "What does rye with caraway cost?", "“Rye with caraway | 4.80 euros” (talk.pptx, slide 3)"],
    ["talk.pptx", "Who sits in the first row?", "Greet Mrs Çelik in the first row.” (talk.pptx, slide 1)"],
  ])("%s: %s", async (name, question, quotation) => {
    const turn = await ask(question, name);
    expect(turn.exit).toBe("complete");
    expect(answerOf(turn).split("\n")[0]).toContain(quotation);
    expect(turn.rounds.map(({ status }: { status: string }) => status)).not.toContain("error");
  });
});

it("a passage after the end of one read is still found, in this turn and in later ones", async () => {
  const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
  const filler = Array.from({ length: 2_500 }, (_, n) =>
    paragraph(`Boat ${n} lay in the harbour among gulls and ferries.`),
  );
  const body = [
    ...[...filler, ...filler, '<w:p><w:r><w:br w:type="page"/></w:r></w:p>', paragraph(RETURNED.slice(1, -1))],
    paragraph("Zwölf Lämmer grasen am Deich."),
  ];
  const id = await bench.converse();
  const attachments = [{ name: "long.docx", data: docxOf(body.join("")).toString("base64") }];
  const first = await bench.say(id, DEPOSIT, { attachments });
  expect(answerOf(first.turns.at(-1))).toContain(`${RETURNED} (long.docx, page 2)`);
  const second = await bench.say(id, "Wo grasen die Lämmer?");
  expect(answerOf(second.turns.at(-1))).toContain("“Zwölf Lämmer grasen am Deich.” (long.docx, page 2)");
});

describe("a file that cannot be read is reported as unreadable, and no other file is cited", () => {
  it.each([
    ["encrypted.pdf", "The PDF is encrypted and needs a password."],
    ["scanned.pdf", "The PDF has no text: its pages are pictures, as in a scan."],
    ["renamed archive.docx", "The file is a ZIP archive, not a document."],
    ["damaged.docx", "The file is damaged or was not sent completely"],
  ])("%s", async (name, why) => {
    const turn = await ask("What does it say about mountain rescue on the ridge?", name);
    expect(turn.exit).toBe("complete");
    expect(answerOf(turn)).toContain(`I cannot read ${name}: ${why}`);
    expect(answerOf(turn)).not.toMatch(/\[\[S:|“/);
    // The offline model reads PDFs directly, as many models do. For other documents it makes a call, which failed here.
    const failed = { tool_id: "react.read", status: "error", error: { code: "unreadable" } };
    expect(turn.rounds).toMatchObject(name.endsWith(".pdf") ? [] : [failed]);
  });

  it("also beside one that can be read, which is quoted", async () => {
    const turn = await ask(DEPOSIT, "damaged.docx", "lease.odt");
    expect(answerOf(turn)).toContain(`${RETURNED} (lease.odt, page 2)`);
    expect(answerOf(turn)).toContain("I cannot read damaged.docx: The file is damaged");
  });

  it("also when a report on it is asked for, and none is written", async () => {
    const turn = await ask("Write a report about mountain rescue on the ridge from this", "damaged.docx");
    expect(answerOf(turn)).toContain("I cannot read damaged.docx: The file is damaged");
    expect(turn.files).toEqual([]);
    expect(turn.rounds.map(({ tool_id }: { tool_id: string }) => tool_id)).not.toContain("web_tools.web_search");
  });
});
