/** System tests run their processes from the bundle; other tests show that the sources start, too. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { projectRoot } from "../run-command.ts";

const PROGRAM = `
import { registerHooks } from "node:module";
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
const { CairnError } = await import("@cairn/timeline");
const { CairnError: again } = await import("./packages/timeline/src/index.ts");
await import("./packages/cli/src/main.ts");
console.log(JSON.stringify({ isShared: CairnError === again, loaded }));
`;

it("a process loads the bundle in place of the sources, and has each module once, by whatever name it is imported", () => {
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", PROGRAM, "--", "version"], {
    encoding: "utf8",
    cwd: projectRoot,
  });
  const { isShared, loaded } = JSON.parse(printed.trim().split("\n").at(-1) ?? "");
  expect(isShared).toBe(true);
  const sources = pathToFileURL(join(projectRoot, "packages")).href;
  expect(loaded.filter((url: string) => url.startsWith(sources))).toEqual([]);
});
