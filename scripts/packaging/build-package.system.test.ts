/** The published package, built and used as an application uses it; `npm run try:packages` tries it in more places. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { whyNoCheckers } from "@cairn/testkit/checkers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectRoot } from "../run-command.ts";
import { buildPackage } from "./build-package.ts";
import { packageName } from "./parts.ts";
import { strictCheck } from "./trials.ts";

const run = promisify(execFile);
const missing = whyNoCheckers();
const folder = mkdtempSync(join(tmpdir(), "cairn-package-"));

describe.skipIf(missing !== null)(`the built package${missing === null ? "" : ` (${missing})`}`, () => {
  /** A project with the built package and the libraries that npm would install with it. */
  beforeAll(async () => {
    cpSync(join(projectRoot, "scripts/packaging/fixtures/trial"), folder, { recursive: true });
    mkdirSync(join(folder, "node_modules"));
    for (const name of ["@ai-sdk", "@types", "zod"])
      symlinkSync(join(projectRoot, "node_modules", name), join(folder, "node_modules", name));
    await buildPackage(join(folder, "node_modules", packageName));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("an application runs a turn with a tool and a PDF file, and mounts the handler", async () => {
    const { stdout } = await run(process.execPath, ["hello.mjs"], { cwd: folder });
    expect(stdout).toContain("a turn");
  });

  test("a strict project compiles with the declarations of the main parts", async () => {
    const [command = "", ...args] = strictCheck("nodenext", "nodenext");
    const { stdout } = await run(command, args, { cwd: folder });
    expect(stdout).toBe("");
  });
});
