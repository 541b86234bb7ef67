import { configDefaults, defineConfig } from "vitest/config";
import { USE_BUNDLE } from "./scripts/child-bundle/use-bundle-option.ts";
import { COMPILE_CACHE } from "./scripts/compile-cache.ts";
import SystemFirst from "./scripts/system-first.ts";

const long = process.env.CAIRN_LONG === "1";
const minute = 60_000;

/** System tests start processes: servers, browsers, sandboxes, commands. Every other test is a unit test. */
const SYSTEM = ["**/*.system.test.ts"];
const BROWSER = ["packages/web/e2e/**/*.test.ts"];
/** New objects get more room, so that the garbage collector runs less often. */
const MORE_ROOM = ["--max-semi-space-size=64"];
/** They count the processes or measure the memory of the process that runs them. */
const ALONE = ["packages/tools/src/mcp/mcp.system.test.ts", "packages/tools/src/web/fetch/hostile.system.test.ts"];

/** Tests of benchmarks replay whole conversations: a quick run leaves them to the others. */
const FOLDERS =
  process.env.CAIRN_QUICK === "1" ? ["packages", "scripts"] : ["packages", "scripts", "examples", "bench"];
const UNIT = FOLDERS.map((folder) => `${folder}/**/*.test.{ts,tsx}`);

export default defineConfig({
  test: {
    // Property tests do a hundred times the work in long mode.
    testTimeout: long ? 180 * minute : 5 * minute,
    hookTimeout: long ? 10 * minute : 5 * minute,
    // What is polled for comes at once on a quiet machine; vitest's own second is too short for a busy one.
    expect: { poll: { timeout: minute } },
    // A hunt for flaky tests has its own order, which is random.
    sequence: process.env.CAIRN_FLAKES_ROUND === undefined ? { sequencer: SystemFirst } : {},
    // Seven also on two cores: system tests wait for processes, timers and disks. Tests that compare running times count
    // those of the processor, and compare again when the machine was busy. Unit tests wait less, and each process of
    // theirs imports everything.
    maxWorkers: process.env.CAIRN_QUICK === "1" ? 3 : 7,
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: UNIT,
          exclude: [...configDefaults.exclude, ...SYSTEM, ...BROWSER],
          // Unit tests leave nothing behind, so that files share a process and what it has imported.
          isolate: false,
          execArgv: MORE_ROOM,
          setupFiles: ["scripts/law-seed.ts", "scripts/refuse-processes.ts"],
          env: process.env.CAIRN_SCRATCH === undefined ? {} : { TMPDIR: process.env.CAIRN_SCRATCH },
        },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: SYSTEM,
          exclude: [...configDefaults.exclude, ...ALONE],
          isolate: false,
          execArgv: MORE_ROOM,
          globalSetup: ["scripts/child-bundle/build-bundle.ts"],
          env: { NODE_OPTIONS: USE_BUNDLE },
          setupFiles: ["scripts/law-seed.ts", "scripts/restore-process.ts"],
        },
      },
      { extends: true, test: { name: "alone", include: ALONE, setupFiles: ["scripts/law-seed.ts"] } },
      // Each file has a browser and servers of its own. What they share is the code of the server, imported once.
      {
        extends: true,
        test: {
          name: "browser",
          include: BROWSER,
          isolate: false,
          execArgv: MORE_ROOM,
          setupFiles: ["scripts/law-seed.ts"],
        },
      },
    ],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.{ts,tsx}"],
      exclude: ["**/*.test.{ts,tsx}"],
      reporter: ["text-summary", "html"],
    },
  },
});
