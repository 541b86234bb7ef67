/** Tests which modules a program loads and when, so that the start is fast and unused parts are not loaded. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "cairn-import-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
import { registerHooks } from "node:module";
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
const { agent, createCairn } = await import("cairn-agent");
const atImport = [...loaded];
const cairn = await createCairn({ agents: [agent({ name: "a", instructions: "Help." })], store: process.argv[1] });
console.log(JSON.stringify({ atImport, atStart: loaded }));
await cairn.close();
`;

it("importing loads only the entry and the class of its errors, and starting loads no part that is not needed yet", () => {
  const cwd = fileURLToPath(new URL("../", import.meta.url));
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", PROGRAM, folder], {
    encoding: "utf8",
    cwd,
    // Uses the source files and not the packages, because the test lists source files below.
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  const { atImport, atStart } = JSON.parse(printed) as Record<string, string[]>;
  const names = atImport?.map((url) => url.slice(url.lastIndexOf("/src/") + "/src/".length));
  const entry = ["create-cairn.ts", "define/agent.ts", "define/check-options.ts", "define/tool.ts", "index.ts"];
  const start = ["library/check-node.ts", "library/compile-cache.ts"];
  expect(names?.sort()).toEqual(["base/error.ts", ...entry, ...start]);
  const unneeded =
    /server\/src|web\/src|api\/src\/endpoints|tools\/src|offline\/decide-offline|o200k\.json|\/pg\/|graphile|@aws-sdk|@modelcontextprotocol|hono|pdfjs|@ai-sdk\/(anthropic|openai|google)/;
  expect(atStart?.filter((url) => unneeded.test(url))).toEqual([]);
});
