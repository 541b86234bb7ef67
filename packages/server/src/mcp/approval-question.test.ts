import { expect, it } from "vitest";
import { approvalQuestion } from "./approval-question.ts";

it("shows all parameters, or asks nothing if they are too long to show", () => {
  const ask = (text: string) => approvalQuestion("shop.order", { text });
  const fits = "a".repeat(4_000 - '{"text":""}'.length);
  expect(ask(fits)).toBe(`Cairn asks for your approval to call shop.order with {"text":"${fits}"}`);
  expect(ask(`${fits}a`)).toBeNull();
});

it("escapes characters that are invisible or change the direction of text, and keeps the values", () => {
  const params = { file: "report\u202efdp.exe", more: "a\u200bb\u{e0041}c\u2028d\u009be\n" };
  const asked = approvalQuestion("shop.order", params) ?? "";
  expect(asked).toContain('"report\\u202efdp.exe"');
  expect(asked).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
  expect(JSON.parse(asked.slice(asked.indexOf("{")))).toEqual(params);
});
