import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { PlainOutput } from "./plain-output.ts";

it("no text in a pipe has control codes, because a pipe may end in a terminal", () => {
  const stdout = new PassThrough();
  const output = new PlainOutput({ stdin: new PassThrough(), stdout, stderr: stdout, env: {}, cwd: "." });
  const hostile = "No \u001b[2Jsuch\u001b]0;title\u0007 file.";
  output.line("red", hostile);
  output.print([hostile]);
  output.details([hostile]);
  expect(String(stdout.read())).toBe("No such file.\nNo such file.\n\nNo such file.\n\n");
});
