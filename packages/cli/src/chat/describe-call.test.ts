import { expect, it } from "vitest";
import { describeCall, describeParams } from "./describe-call.ts";

it("a call that asks for approval is shown completely, one line each, and nothing in it moves the cursor or turns the text", () => {
  const params = { file: "report\u202efdp.exe", code: "a\n\u001b[2Jb", deep: { n: [1] } };
  expect(describeParams(params)).toEqual([
    ...["file: reportfdp.exe", "code: a", "b", "deep: {", '"n": [', "1", "]", "}"],
  ]);
  expect(describeCall("shop.order", params)).toContain("reportfdp.exe");
});
