/**
 * Draws text that grows at its end. Lines that can no longer change are returned once, and all other lines are drawn
 * again each time. More text can change the last two blocks: a list continues after an empty line, and dashes under a
 * paragraph make a heading. Of a code block, more text can change only the last line.
 */
import type { Token, Tokens } from "marked";
import { lexMarkdown } from "./lex.ts";
import { drawBlocks } from "./markdown.ts";
import { type Pen, wrapCode } from "./style.ts";

interface GrowingLines {
  /** The lines that became final since the last call. */
  take(pen: Pen): string[];
  /** The lines that more text may still change. */
  live(pen: Pen): string[];
  /** Returns all remaining lines when the text has ended. */
  end(pen: Pen): string[];
}

export class GrowingMarkdown implements GrowingLines {
  #text = "";
  /** Number of lines of the first code block that were already returned. */
  #codeLines = 0;
  #isFirst = true;

  push(text: string): void {
    this.#text += text;
  }

  take(pen: Pen): string[] {
    const tokens = lexMarkdown(this.#text);
    const kept = tokens.slice(finishedOf(tokens));
    const finished = tokens.slice(0, tokens.length - kept.length);
    const lines = this.#note(this.#draw(finished, pen));
    if (finished.some(isSolid)) this.#codeLines = 0;
    this.#text = this.#text.slice(finished.reduce((sum, { raw }) => sum + raw.length, 0));
    return [...lines, ...this.#takeCode(kept, pen)];
  }

  live(pen: Pen): string[] {
    const lines = this.#draw(lexMarkdown(this.#text), pen);
    return lines.length === 0 || this.#isFirst || this.#codeLines > 0 ? lines : ["", ...lines];
  }

  end(pen: Pen): string[] {
    const lines = this.#draw(lexMarkdown(this.#text), pen);
    this.#text = "";
    const ended = this.#note(lines);
    this.#codeLines = 0;
    return ended;
  }

  /** Adds an empty line before each block except the first. */
  #note(lines: string[]): string[] {
    if (lines.length === 0) return [];
    const isApart = !this.#isFirst && this.#codeLines === 0;
    this.#isFirst = false;
    return isApart ? ["", ...lines] : lines;
  }

  #takeCode(tokens: readonly Token[], pen: Pen): string[] {
    const [code, ...others] = tokens.filter(isSolid);
    if (code === undefined || others.length > 0 || !isFenced(code)) return [];
    const all = code.text.split("\n");
    const fresh = all.slice(this.#codeLines, -1);
    if (fresh.length === 0) return [];
    const lines = this.#note(drawBlocks([partOf(code, fresh, this.#codeLines === 0)], pen));
    this.#codeLines = all.length - 1;
    return lines;
  }

  #draw(tokens: readonly Token[], pen: Pen): string[] {
    const first = tokens.findIndex(isSolid);
    const code = tokens[first];
    if (this.#codeLines === 0 || code === undefined || !isFenced(code)) return drawBlocks(tokens, pen);
    const rest = code.text.split("\n").slice(this.#codeLines);
    const others = drawBlocks(tokens.slice(first + 1), pen);
    const lines = rest.length === 0 ? [] : drawBlocks([partOf(code, rest, false)], pen);
    return others.length === 0 ? lines : [...lines, "", ...others];
  }
}

/** Plain text, such as that of a file. Each complete line is final. */
export class GrowingPlain implements GrowingLines {
  #text = "";

  push(text: string): void {
    this.#text += text;
  }

  take(pen: Pen): string[] {
    const end = this.#text.lastIndexOf("\n");
    if (end < 0) return [];
    const lines = draw(this.#text.slice(0, end), pen);
    this.#text = this.#text.slice(end + 1);
    return lines;
  }

  live(pen: Pen): string[] {
    return this.#text === "" ? [] : draw(this.#text, pen);
  }

  end(pen: Pen): string[] {
    const lines = this.live(pen);
    this.#text = "";
    return lines;
  }
}

function draw(text: string, pen: Pen): string[] {
  return text.split("\n").flatMap((line) => wrapCode(line, pen.width).map((row) => pen.paint("dim", row)));
}

/** The number of tokens that more text cannot change. */
function finishedOf(tokens: readonly Token[]): number {
  const last = tokens.findLastIndex(isSolid);
  const before = tokens.findLastIndex((token, nth) => nth < last && isSolid(token));
  const [end, previous] = [tokens[last], tokens[before]];
  if (end === undefined || previous === undefined || isFenced(end) || isFenced(previous)) return Math.max(0, last);
  const isApart = last - before > 1 || /\n\n$/.test(previous.raw);
  return previous.type === "list" || !isApart ? before : last;
}

function isSolid({ type }: Token): boolean {
  return type !== "space";
}

function isFenced(token: Token): token is Tokens.Code {
  return token.type === "code" && (token as Tokens.Code).codeBlockStyle !== "indented";
}

function partOf(code: Tokens.Code, lines: readonly string[], hasName: boolean): Tokens.Code {
  return { ...code, text: lines.join("\n"), lang: hasName ? (code.lang ?? "") : "" };
}
