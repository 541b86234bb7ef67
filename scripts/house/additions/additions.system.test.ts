/** All additions at once in a copy of the project: the types fit, the layers hold, and each addition works. */
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { whyNoCheckers } from "@cairn/testkit/checkers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TESTS_FOLDER } from "../../durations.ts";
import { checkLayers } from "../../layers/layer-violations.ts";
import { commandOutput } from "../../run-command.ts";
import { ADDITIONS } from "./additions.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
mkdirSync(TESTS_FOLDER, { recursive: true });
/** In this folder, the paths from a copy to the installed programs and libraries are the same in every run. */
const copy = mkdtempSync(join(TESTS_FOLDER, "additions-"));

/**
 * The packages are copied without their test files, because an addition is complete before its tests. Installed
 * dependencies are linked, except for the packages themselves.
 */
function copyProject(): void {
  cpSync(join(root, "tsconfig.json"), join(copy, "tsconfig.json"));
  cpSync(join(root, "packages"), join(copy, "packages"), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !/[/\\]dist$|testkit[/\\]\w+[/\\]node_modules$|\.test\.tsx?$/.test(path),
  });
  mkdirSync(join(copy, "node_modules/@cairn"), { recursive: true });
  const workspace = readdirSync(join(copy, "packages"));
  for (const name of workspace) symlinkSync(join(copy, "packages", name), join(copy, "node_modules", nameOf(name)));
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "@cairn" && !workspace.some((each) => nameOf(each) === name))
      symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
}

function nameOf(folder: string): string {
  return JSON.parse(readFileSync(join(copy, "packages", folder, "package.json"), "utf8")).name;
}

beforeAll(() => {
  copyProject();
  for (const { newFiles, edits } of ADDITIONS) {
    for (const [path, text] of Object.entries(newFiles)) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      writeFileSync(join(copy, path), text, { flag: "wx" });
    }
    for (const { file, behind, add } of edits) {
      const pieces = readFileSync(join(copy, file), "utf8").split(behind);
      expect(pieces, `${file} contains ${behind} once`).toHaveLength(2);
      writeFileSync(join(copy, file), pieces.join(behind + add));
    }
  }
});

/** The compiler checks only what has changed since an earlier run checked its own copy. */
async function typeErrors(project: string): Promise<string> {
  const name = `${project === "." ? "all" : "web"}.tsbuildinfo`;
  const [kept, used] = [join(TESTS_FOLDER, `additions-${name}`), join(copy, name)];
  if (existsSync(kept)) cpSync(kept, used);
  const incremental = ["--incremental", "--tsBuildInfoFile", used];
  const { output } = await commandOutput("tsc", ["-p", join(copy, project), "--checkers", "1", ...incremental]);
  if (existsSync(used)) renameSync(used, kept);
  return output;
}

afterAll(() => rmSync(copy, { recursive: true, force: true }));

const missing = whyNoCheckers();

describe("additions of every kind", () => {
  it.skipIf(missing !== null)(`need no other change of types${missing === null ? "" : ` (${missing})`}`, async () => {
    for (const project of [".", "packages/web"]) expect(await typeErrors(project)).toBe("");
  });

  it("keep the layers", () => {
    expect(checkLayers(copy).violations).toEqual([]);
  });

  it.each(ADDITIONS)("work: $what", async ({ check: { args, prints } }) => {
    const { stdout } = await run(process.execPath, args, { cwd: copy });
    expect(stdout).toContain(prints);
  });
});
