import { configDefaults, defineConfig } from "vitest/config";
import { USE_BUNDLE } from "./scripts/child-bundle/use-bundle-option.ts";
import { COMPILE_CACHE } from "./scripts/compile-cache.ts";
import SystemFirst from "./scripts/system-first.ts";

const long = process.env.CAIRN_LONG === "1";
const minute = 60_000;

/** System tests start processes: servers, browsers, sandboxes, commands. Every other test is a unit test. */
const SYSTEM = ["**/*.system.test.ts", "packages/web/e2e/**/*.test.ts"];
/** New objects get more room, so that the garbage collector runs less often. */
const MORE_ROOM = ["--max-semi-space-size=64"];
/** They count the processes or measure the memory of the process that runs them. */
const ALONE = [
  "packages/tools/src/mcp/mcp-connection.system.test.ts",
  "packages/tools/src/web/fetch/hostile.system.test.ts",
];

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
    // More than two also on two cores: system tests wait for processes, timers and disks. Not more than that needs,
    // because each process imports everything. Tests that compare running times count those of the processor, and
    // compare again when the machine was busy.
    maxWorkers: process.env.CAIRN_QUICK === "1" ? 3 : 5,
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: UNIT,
          exclude: [...configDefaults.exclude, ...SYSTEM],
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
    ],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.{ts,tsx}"],
      exclude: ["**/*.test.{ts,tsx}"],
      reporter: ["text-summary", "html"],
    },
  },
});
