import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ScreenOutput } from "./screen-output.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An open screen, and what was written to it. */
function newScreen() {
  const stdout = new PassThrough();
  const output = new ScreenOutput({ stdin: new PassThrough(), stdout, stderr: stdout, env: {}, cwd: "." });
  output.screen.open();
  const raw = () => String(stdout.read() ?? "");
  raw();
  const written = () => stripVTControlCharacters(raw()).replaceAll("\r", "");
  return { output, raw, written };
}

it("text that streams in is drawn once for each frame, finished blocks above the one that grows", () => {
  const { output, written } = newScreen();
  for (let nth = 1; nth <= 3; nth++) for (const piece of ["Para", `graph ${nth}.`, "\n\n"]) output.grow("say", piece);
  output.grow("say", "- one\n- tw");
  expect(written()).toBe("");
  vi.advanceTimersByTime(30);
  const first = "Paragraph 1.\n\nParagraph 2.\n\nParagraph 3.\n";
  expect(written()).toMatch(new RegExp(`^${first}\n• one\n• tw\n`));
  output.grow("say", "o");
  vi.advanceTimersByTime(30);
  expect(written()).toMatch(/^• two\n/);
  output.line("dim", "The end.");
  expect(written()).toMatch(/• one\n• two\n[\s\S]*The end\.\n/);
});

it("no text that is shown can send codes to the terminal", () => {
  const { output, raw } = newScreen();
  const hostile = "No \u001b[2Jsuch\u001b]0;title\u0007 file\u0008.\nNext line.";
  output.line("red", hostile);
  output.print([hostile]);
  output.details([hostile]);
  const shown = raw();
  expect(shown).not.toMatch(/\[2J|title|[\u0007\u0008]/);
  expect(shown.match(/No such file\.\S*\r\n\S*Next line\./g)).toHaveLength(3);
});
