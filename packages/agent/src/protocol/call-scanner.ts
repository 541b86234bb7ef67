/**
 * Finds the calls in the text of an answer while it streams. Other text is passed on at once, except characters that
 * may begin a tag or a code fence around a tag. Thinking in tags counts as thinking if no other text comes before it.
 */
import type { ModelPart, ToolSpec } from "../model/model.ts";
import { type CallTag, readTag } from "./call-tag.ts";
import { TextCall } from "./text-call.ts";

type Place = "text" | "thinking" | "json" | "param" | "after";

/** Maximum length of a tag. Longer text is not a tag. */
const MAX_TAG = 700;
const THINKING = /^<(think|thinking|thought|reasoning)>/i;
const THINKING_NAMES = ["think", "thinking", "thought", "reasoning"];
/** A code fence directly before a tag, and an incomplete fence at the end of the text. */
const FENCE = /\n[ \t]*(?:```|~~~)[\w-]{0,20}\s*$/;
const BEGUN_FENCE = /\n[ \t]*(?:(?:`{1,2}|~{1,2})|(?:```|~~~)[\w-]{0,20}\s*)?$/;
const MAX_FENCE = 60;
/** Characters that models may write between the JSON of a call and its end tag. */
const AFTER_OBJECT = /^[\s}\],;`]+/;
const AFTER_CALL = /^[\s`~]+/;
const OTHER_END = /^<\/[^<>\n]{0,60}>/;
const BEGUN_END = /^<(?:\/[^<>\n]{0,60})?$/;

export class CallScanner {
  readonly #code: string | null;
  readonly #specs: readonly ToolSpec[];
  readonly #takeIndex: () => number;
  #place: Place = "text";
  /** Text that was received and not yet processed. */
  #rest = "";
  #call: TextCall | null = null;
  /** Whether the answer had text so far, and whether it had text since the last call. */
  #hasSaid = false;
  #saysMore = false;
  #isFenced = false;
  #isAtLineStart = true;
  #endsLine = false;
  #endOfThinking = "";
  /** Thinking whose end tag has not arrived yet. */
  #thought = "";

  /** `code` is null if no tool can be called; `takeIndex` numbers the calls of the answer. */
  constructor(code: string | null, specs: readonly ToolSpec[], takeIndex: () => number) {
    this.#code = code;
    this.#specs = specs;
    this.#takeIndex = takeIndex;
  }

  *push(piece: string): Generator<ModelPart> {
    this.#rest += piece;
    for (;;) {
      const [left, place] = [this.#rest.length, this.#place];
      if (left === 0) return;
      yield* this.#step();
      if (this.#rest.length === left && this.#place === place) return;
    }
  }

  /** `isCut`: the answer reached its length limit, and another request may continue it. */
  *end(isCut: boolean): Generator<ModelPart> {
    const place = this.#place;
    const rest = this.#rest;
    this.#rest = "";
    if (place === "text") yield* this.#say(rest);
    else if (place === "json") yield* this.#pushJson(rest);
    else if (place === "param") yield* this.#pushParam(rest);
    else if (place === "thinking") yield* this.#endThought(rest, isCut);
    yield* this.#endCall(isCut);
  }

  *#step(): Generator<ModelPart> {
    switch (this.#place) {
      case "text":
        return yield* this.#stepText();
      case "thinking":
        return yield* this.#stepThinking();
      case "after":
        return yield* this.#stepAfter();
      default:
        return yield* this.#stepCall();
    }
  }

  /** The next tag in the received text, or an incomplete tag at the end of the text. */
  #findTag(): { readonly at: number; readonly tag: CallTag | "partial" } | null {
    for (let at = this.#rest.indexOf("<"); at >= 0; at = this.#rest.indexOf("<", at + 1)) {
      const tag = readTag(this.#rest.slice(at, at + MAX_TAG), this.#code);
      if (tag !== null) return { at, tag };
    }
    return null;
  }

  *#stepText(): Generator<ModelPart> {
    const thinking = this.#findThinking();
    if (thinking === "partial") return;
    if (thinking !== null) {
      this.#place = "thinking";
      this.#thought = "";
      this.#endOfThinking = `</${thinking.name.toLowerCase()}>`;
      this.#rest = this.#rest.slice(thinking.length);
      return;
    }
    const { at, tag } = this.#findTag() ?? { at: this.#rest.length, tag: "partial" as const };
    const text = this.#rest.slice(0, at);
    if (tag === "partial") {
      const spoken = text.length - this.#lengthOf(BEGUN_FENCE, text);
      this.#rest = this.#rest.slice(spoken);
      yield* this.#say(text.slice(0, spoken));
      return;
    }
    const fence = tag.isEnd ? 0 : this.#lengthOf(FENCE, text);
    this.#isFenced = fence > 0;
    yield* this.#say(text.slice(0, text.length - fence));
    yield* this.#take(tag, at + tag.length);
  }

  /** The length of a code fence at the end of a text. A fence always begins at the beginning of a line. */
  #lengthOf(fence: RegExp, text: string): number {
    const end = text.length < MAX_FENCE && this.#isAtLineStart ? `\n${text}` : text.slice(-MAX_FENCE);
    return Math.min(fence.exec(end)?.[0].length ?? 0, text.length);
  }

  /** Thinking can begin only before any other text. */
  #findThinking(): { readonly name: string; readonly length: number } | "partial" | null {
    if (this.#saysMore) return null;
    const text = this.#rest.trimStart();
    const name = THINKING.exec(text)?.[1];
    if (name !== undefined) return { name, length: this.#rest.length - text.length + name.length + 2 };
    const begun = /^<([a-z]*)$/i.exec(text)?.[1]?.toLowerCase();
    return begun !== undefined && THINKING_NAMES.some((each) => each.startsWith(begun)) ? "partial" : null;
  }

  *#stepThinking(): Generator<ModelPart> {
    const at = this.#rest.toLowerCase().indexOf(this.#endOfThinking);
    if (at >= 0) {
      const text = this.#rest.slice(0, at);
      this.#rest = this.#rest.slice(at + this.#endOfThinking.length);
      this.#place = "text";
      this.#thought = "";
      yield* think(text);
      return;
    }
    const last = this.#rest.lastIndexOf("<");
    const isBegun = last >= 0 && this.#endOfThinking.startsWith(this.#rest.slice(last).toLowerCase());
    const text = isBegun ? this.#rest.slice(0, last) : this.#rest;
    this.#rest = this.#rest.slice(text.length);
    this.#thought += text;
    yield* think(text);
  }

  /** If a model forgot the end tag of its thinking, its calls may be in the thinking. */
  *#endThought(rest: string, isCut: boolean): Generator<ModelPart> {
    yield* think(rest);
    const thought = this.#thought + rest;
    this.#thought = "";
    this.#place = "text";
    this.#saysMore = true;
    const from =
      isCut || this.#code === null ? -1 : thought.search(new RegExp(`<\\s*call[\\s:_=-]+${this.#code}`, "i"));
    if (from < 0) return;
    yield* this.push(thought.slice(from));
    yield* this.end(isCut);
  }

  *#stepCall(): Generator<ModelPart> {
    const found = this.#findTag();
    const at = found?.at ?? this.#rest.length;
    const text = this.#rest.slice(0, at);
    this.#rest = this.#rest.slice(at);
    if (this.#place === "param") yield* this.#pushParam(text);
    else {
      const unused = yield* this.#pushJson(text);
      if (this.#place === "after") {
        this.#rest = unused + this.#rest;
        return;
      }
    }
    if (found !== null && found.tag !== "partial") yield* this.#take(found.tag, found.tag.length);
  }

  /** Returns the text after the JSON object. */
  *#pushJson(text: string): Generator<ModelPart, string> {
    if (this.#call === null) return text;
    const used = yield* this.#call.push(text);
    if (this.#call.isOver) this.#place = "after";
    return text.slice(used);
  }

  *#pushParam(text: string): Generator<ModelPart> {
    if (this.#call !== null) yield* this.#call.pushParam(text);
  }

  /** Handles the text after a call's JSON object or after a parameter: another tag, or plain text again. */
  *#stepAfter(): Generator<ModelPart> {
    const ignored = this.#call !== null ? AFTER_OBJECT : this.#isFenced ? AFTER_CALL : /^\s+/;
    this.#rest = this.#rest.replace(ignored, "");
    if (this.#rest === "") return;
    const tag = readTag(this.#rest.slice(0, MAX_TAG), this.#code);
    if (tag === "partial") return;
    if (tag !== null) return yield* this.#take(tag, tag.length);
    if (this.#call !== null) {
      if (BEGUN_END.test(this.#rest)) return;
      this.#rest = this.#rest.replace(OTHER_END, "");
      yield* this.#endCall(false);
    }
    this.#isFenced = false;
    this.#place = "text";
  }

  *#take(tag: CallTag, length: number): Generator<ModelPart> {
    this.#rest = this.#rest.slice(length);
    if (tag.kind === "param") {
      if (this.#call === null) return;
      if (tag.isEnd) yield* this.#call.endParam();
      else yield* this.#call.beginParam(tag.name);
      this.#place = tag.isEnd ? "after" : "param";
      return;
    }
    yield* this.#endCall(false);
    this.#saysMore = false;
    this.#isAtLineStart = true;
    if (tag.isEnd) {
      this.#place = "after";
      return;
    }
    this.#call = new TextCall(this.#takeIndex(), tag.name, this.#specs);
    this.#place = "json";
    yield* this.#call.begin();
    if (tag.isWhole) yield* this.#endCall(false);
  }

  *#endCall(isCut: boolean): Generator<ModelPart> {
    const call = this.#call;
    if (call === null) return;
    this.#call = null;
    this.#place = "after";
    yield* call.end(isCut);
  }

  /** Text after a call begins a new paragraph. */
  *#say(text: string): Generator<ModelPart> {
    if (text === "") return;
    const isNext = this.#hasSaid && !this.#saysMore;
    const lineBreaks = this.#endsLine ? "\n" : "\n\n";
    if (!this.#saysMore && text.trim() === "") return;
    this.#hasSaid = true;
    this.#saysMore = true;
    this.#endsLine = text.endsWith("\n");
    this.#isAtLineStart = this.#endsLine;
    yield { type: "text", text: isNext ? `${lineBreaks}${text.trimStart()}` : text };
  }
}

function* think(text: string): Generator<ModelPart> {
  if (text !== "") yield { type: "thinking", text };
}
