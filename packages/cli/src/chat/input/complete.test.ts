import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { commonStart, complete } from "./complete.ts";

it("commands, their arguments and file names are completed", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "cairn-complete-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await mkdir(join(cwd, "docs"));
  for (const name of ["my notes.md", "my railway.pdf", ".hidden", "docs/cli.md"]) await writeFile(join(cwd, name), "");
  const argumentsOf = async (name: string) => (name === "/model" ? ["offline", "openai:gpt-5"] : null);
  const source = { commands: async () => ["/files", "/fork", "/model", "/shop.greeting"], argumentsOf, cwd, home: cwd };
  const of = (text: string) => complete(text, source);
  expect(await of("/shop.g")).toEqual({ start: 0, options: ["/shop.greeting "] });
  expect(await of("/f")).toEqual({ start: 0, options: ["/files ", "/fork "] });
  expect(await of("/model o")).toEqual({ start: 7, options: ["offline", "openai:gpt-5"] });
  expect(await of("/attach my")).toEqual({ start: 8, options: ["my\\ notes.md", "my\\ railway.pdf"] });
  expect(await of("/attach my\\ n")).toEqual({ start: 8, options: ["my\\ notes.md"] });
  expect(await of("look at @my\\ n")).toEqual({ start: 9, options: ["my\\ notes.md"] });
  expect(await of("look at ./d")).toEqual({ start: 8, options: ["./docs/"] });
  expect(await of("look at ~/docs/")).toEqual({ start: 8, options: ["~/docs/cli.md"] });
  expect(await of("look at nowhere/x")).toEqual({ start: 8, options: [] });
  expect(await of("look at ")).toEqual({ start: 8, options: [] });
});

it("a file name with control characters is not offered", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "cairn-complete-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  for (const name of ["plain.md", "pl\u001b]0;title\u0007.md", "pl\nline.md", "pl\u202efdp.md"])
    await writeFile(join(cwd, name), "");
  const source = { commands: async () => [], argumentsOf: async () => null, cwd, home: undefined };
  expect(await complete("pl", source)).toEqual({ start: 0, options: ["plain.md"] });
});

it("the common beginning of the options is inserted", () => {
  expect(commonStart(["/files ", "/fork "])).toBe("/f");
  expect(commonStart(["docs/"])).toBe("docs/");
});
