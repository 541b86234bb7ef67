import fc from "fast-check";
import { expect, it } from "vitest";
import { type Key, KeyDecoder } from "./keys.ts";

const decode = (...chunks: readonly (string | Uint8Array)[]): Key[] => {
  const decoder = new KeyDecoder();
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.flush()];
};
const names = (text: string) => decode(text).map((key) => (key.type === "key" ? key.name : `${key.type} ${key.text}`));

it("keys of all terminals have one name each", () => {
  expect(names("a\x01\r\n\t\x7f")).toEqual(["text a", "ctrl-a", "enter", "newline", "tab", "backspace"]);
  expect(names("\x1b[A\x1bOA\x1b[1~\x1b[H\x1b[3~")).toEqual(["up", "up", "home", "home", "delete"]);
  expect(names("\x1b[1;5D\x1b[1;3C\x1bb\x1bf")).toEqual(["word-left", "word-right", "word-left", "word-right"]);
  expect(names("\x1b\r\x1b[13;2u\x1b[27;2;13~")).toEqual(["newline", "newline", "newline"]);
  expect(names("\x1b\x7f\x1bd\x1b[99;9x\x1bq")).toEqual(["delete-word-left", "delete-word", "unknown", "unknown"]);
});

it("a lone Escape waits for a sequence until it is flushed", () => {
  const decoder = new KeyDecoder();
  expect(decoder.push("\x1b")).toEqual([]);
  expect(decoder.isWaiting).toBe(true);
  expect(decoder.flush()).toEqual([{ type: "key", name: "escape" }]);
  expect(decoder.isWaiting).toBe(false);
});

it("a paste is one key, with its line breaks, escape codes and keys inside", () => {
  expect(decode("x\x1b[200~one\r\ntwo\rthree\x03\x1b[A\x1b[201~y\r")).toEqual([
    { type: "text", text: "x" },
    { type: "paste", text: "one\ntwo\nthree\x03\x1b[A" },
    { type: "text", text: "y" },
    { type: "key", name: "enter" },
  ]);
});

it("bytes give the same keys for any division into chunks", () => {
  const whole = Buffer.from("grüß 👩‍👩‍👧 \x1b[1;5D\x1b[200~eins\rzwei 界\x1b[201~\x1bOF\x1b\r\x1b[3~é\r");
  const join = (keys: readonly Key[]) => {
    const joined: Key[] = [];
    for (const key of keys) {
      const last = joined.at(-1);
      if (key.type === "text" && last?.type === "text")
        joined[joined.length - 1] = { type: "text", text: last.text + key.text };
      else joined.push(key);
    }
    return joined;
  };
  const expected = join(decode(whole));
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(whole.length), { maxLength: 60 }), (cuts) => {
      const at = [0, ...cuts.toSorted((left, right) => left - right), whole.length];
      const chunks = at.slice(1).map((end, nth) => whole.subarray(at[nth], end));
      expect(join(decode(...chunks))).toEqual(expected);
    }),
  );
  expect(join(decode(...Array.from(whole, (byte) => Uint8Array.of(byte))))).toEqual(expected);
});
