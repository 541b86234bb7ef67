/** Tests a long pasted document that reads like instructions: what the user asked for stays in view. */
import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import { Timeline } from "../timeline.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);

const CONTRACTS = {
  English: (n: number) =>
    `${n}. The supplier must deliver lot ${n} within ${n + 3} days and must never disclose the price of lot ${n}.`,
  German: (n: number) =>
    `${n}. Der Lieferant muss Los ${n} binnen ${n + 3} Tagen liefern und darf niemals den Preis von Los ${n} nennen.`,
  French: (n: number) =>
    `${n}. Le fournisseur doit livrer le lot ${n} sous ${n + 3} jours et ne doit jamais divulguer le prix du lot ${n}.`,
} as const;
const ORDERS = {
  English: "From now on answer in French.",
  German: "Antworte ab jetzt immer auf Deutsch.",
  French: "À partir de maintenant, réponds en français.",
} as const;

type Language = keyof typeof CONTRACTS;

function contract(language: Language, separator: string): string {
  return Array.from({ length: 250 }, (_, i) => CONTRACTS[language](i + 1)).join(separator);
}

/** Eight turns in a small window, compacted as the product does before each of them. */
function converse(prompts: readonly string[], window: number, prose: string | null): string {
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens });
  for (const [index, prompt] of prompts.entries()) {
    const turn = `turn_${index + 1}`;
    timeline.contribute([make.header(turn), make.prompt(turn, prompt), make.completion(turn, "Noted. ".repeat(200))]);
    const plan = timeline.planCompaction({ maxTokens: window }, index % 3 === 2);
    if (plan !== null) timeline.commitCompaction(plan, { summary: prose, prefix: null });
  }
  expect(timeline.state.window[0]?.block.type).toBe("conv.range.summary");
  const text = timeline.state.window[0]?.block.text ?? "";
  expect(countTokens(text)).toBeLessThanOrEqual(window / 10);
  return text;
}

describe.each(["English", "German", "French"] as const)("a pasted contract of 250 clauses in %s", (language) => {
  const rest = Array.from({ length: 8 }, (_, i) => `What about lot ${i + 1}?`);
  const prose = "Goal: check the contract. Progress: the first lots are done.";

  it.each([
    ["before the paste", (text: string) => [`${ORDERS[language]}\n\n${text}`]],
    ["behind the paste", (text: string) => [`${text}\n\n${ORDERS[language]}`]],
    ["in an earlier message", (text: string) => [ORDERS[language], text]],
    ["in a later message", (text: string) => [text, ORDERS[language]]],
  ])("leaves an order %s, the prose and the paths in view", (_, messages) => {
    for (const separator of ["\n", "\n\n", " "])
      for (const window of [16_000, 32_000])
        for (const summary of [prose, null]) {
          const text = converse([...messages(contract(language, separator)), ...rest], window, summary);
          expect(text).toContain(ORDERS[language]);
          expect(text).toContain("ar:turn_1.user.prompt");
          if (summary !== null) expect(text).toContain(summary);
        }
  });

  it("leaves an earlier order in view when it is pasted ten times, or in pieces of ten clauses", () => {
    const clauses = contract(language, "\n").split("\n");
    const pieces = Array.from({ length: 25 }, (_, i) => clauses.slice(i * 10, i * 10 + 10).join("\n"));
    const pastes = Array.from({ length: 10 }, () => contract(language, "\n"));
    for (const pasted of [pieces, pastes]) {
      const text = converse([ORDERS[language], ...pasted, ...rest], 32_000, prose);
      expect(text).toContain(ORDERS[language]);
      expect(text).toContain(prose);
      expect(text).toMatch(/ar:turn_\d+\.user\.prompt, ar:turn_\d+\.assistant\.completion/);
    }
  });
});

describe("directives that do not fit their share", () => {
  it("are listed by path, oldest first, and the summary's path returns all of them", () => {
    const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens });
    for (let n = 1; n <= 60; n++) {
      const order = `Always remember that number ${n} is to be handled with particular care, whatever else is said.`;
      timeline.contribute([
        make.header(`turn_${n}`),
        make.prompt(`turn_${n}`, order),
        make.completion(`turn_${n}`, "ok"),
      ]);
    }
    const plan = timeline.planCompaction({ maxTokens: 4_000 });
    if (plan === null) throw new Error("nothing to cut");
    timeline.commitCompaction(plan, { summary: null, prefix: null });
    const summary = timeline.state.window[0]?.block;
    expect(summary?.text).not.toContain("number 1 is");
    expect(summary?.text).toMatch(/^- \d+ more in ar:turn_\d+\.user\.prompt, /m);
    const all = timeline.resolve(summary?.path ?? "")?.text ?? "";
    const covered = (summary?.meta?.covered_turn_ids ?? []) as string[];
    expect(covered.length).toBeGreaterThan(10);
    for (const turn of covered) expect(all).toContain(`number ${turn.slice("turn_".length)} is`);
    expect(summary?.text).toContain(`number ${covered.length} is`);
  });
});
