import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readForm } from "./read-form.ts";

const TYPE = "multipart/form-data; boundary=x";
const part = (headers: string, body = "") => `--x\r\n${headers}\r\n\r\n${body}\r\n`;
const field = (name: string, body = "") => part(`Content-Disposition: form-data; name="${name}"`, body);

describe("readForm", () => {
  it("reads what the platform writes, bytes and names as they were", async () => {
    const name = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.isWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, fc.uint8Array())), fc.string(), async (files, said) => {
        const form = new FormData();
        form.append("message", said);
        for (const [each, bytes] of files) form.append("attachments", new Blob([new Uint8Array(bytes)]), each);
        const sent = new Response(form);
        const parts = readForm(Buffer.from(await sent.arrayBuffer()), sent.headers.get("content-type") ?? "");
        const expected = [...form.entries()];
        expect(parts.map((each) => [each.name, each.filename])).toEqual(
          expected.map(([key, value]) => [key, typeof value === "string" ? null : value.name]),
        );
        for (const [at, [, value]] of expected.entries())
          expect(Buffer.from(parts[at]?.bytes ?? [])).toEqual(
            Buffer.from(
              typeof value === "string"
                ? value.replaceAll(/\r\n?|\n/g, "\r\n").toWellFormed()
                : Buffer.from(await value.arrayBuffer()),
            ),
          );
      }),
      { numRuns: runs / 10 },
    );
  });

  it("takes a quoted boundary, and a header in any case and order", () => {
    const body = `--a b\r\ncontent-type: text/plain\r\nCONTENT-DISPOSITION: form-data; filename=n; name=f\r\n\r\n1\r\n--a b--`;
    expect(readForm(Buffer.from(body), 'multipart/form-data; boundary="a b"')).toEqual([
      { name: "f", filename: "n", type: "text/plain", bytes: Buffer.from("1") },
    ]);
  });

  it.each([
    ["nothing", ""],
    ["no end", field("a", "1")],
    ["no name", `${part("Content-Disposition: form-data")}--x--`],
    ["no headers", "--x\r\n1\r\n--x--"],
    ["headers without an end", `--x\r\n${"a".repeat(9_000)}\r\n\r\n\r\n--x--`],
    ["text behind a boundary", "--xy\r\n\r\n--x--"],
  ])("refuses a form with %s", (_, body) => {
    expect(() => readForm(Buffer.from(body), TYPE)).toThrow(expect.objectContaining({ code: "bad_request" }));
  });

  it("refuses more parts than a message has", () => {
    expect(() => readForm(Buffer.from(`${field("a").repeat(101)}--x--`), TYPE)).toThrow(
      expect.objectContaining({ code: "too_large" }),
    );
  });

  it("takes time linear in the body, also when it is full of half a boundary", () => {
    const make = (size: number) => Buffer.from(`${field("a", "\r\n--".repeat(size))}--x--`);
    expect(growthOnDoubling(make, (body) => readForm(body, TYPE), 50_000)).toBeLessThan(3);
  });
});
