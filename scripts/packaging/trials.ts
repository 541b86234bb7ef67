/** Trials of the packed package in a fresh project. Each trial is a command whose last line of output is reported. */
import { join } from "node:path";
import { CHECKER_MODULES } from "@cairn/testkit/checkers";
import { projectRoot } from "../run-command.ts";
import { OLDEST_NODE } from "./published-manifest.ts";

export interface Trial {
  readonly name: string;
  /** Packages that the trial needs besides those of the project; npm installs them only with `--all`. */
  readonly installs: readonly string[];
  /** Commands with their arguments; the last one's output is reported. */
  readonly commands: readonly (readonly string[])[];
}

const bin = (name: string) => join(projectRoot, "node_modules/.bin", name);
const strict =
  "--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target es2022 --lib es2023 --types node";

/** Compiles a program that imports the main parts of the package. */
export function strictCheck(module: string, resolution: string): readonly string[] {
  return [
    join(CHECKER_MODULES, ".bin/tsc"),
    ...strict.split(" "),
    "--module",
    module,
    "--moduleResolution",
    resolution,
    "every-entry.mts",
  ];
}

const tsc = (module: string, resolution: string): Trial => ({
  name: `TypeScript, strict, moduleResolution ${resolution}, declarations checked`,
  installs: [],
  commands: [strictCheck(module, resolution)],
});
const bundle = "--bundle --format=esm --platform=node --packages=external --outfile=bundled.mjs".split(" ");

export const trials: readonly Trial[] = [
  { name: "Node 24: a turn", installs: [], commands: [[process.execPath, "hello.mjs"]] },
  { name: "Node 24: the command, as a server", installs: [], commands: [[process.execPath, "serve.mjs"]] },
  tsc("nodenext", "nodenext"),
  tsc("node16", "node16"),
  tsc("esnext", "bundler"),
  {
    name: "esbuild: a turn",
    installs: [],
    commands: [
      [bin("esbuild"), ...bundle, "hello.mjs"],
      [process.execPath, "bundled.mjs"],
    ],
  },
  {
    name: "Vite: the engine in Chromium",
    installs: [],
    commands: [
      [bin("vite"), "build", "--logLevel", "error", "--config", "vite.config.mjs"],
      [process.execPath, join(projectRoot, "scripts/packaging/run-in-browser.ts"), "page-dist/page.mjs"],
    ],
  },
  { name: "Deno: a turn", installs: [], commands: [[bin("deno"), "run", "-A", "hello.mjs"]] },
  ...[`${OLDEST_NODE}.0`, "22"].flatMap((version): Trial[] => {
    const run = (file: string) => ["node_modules/node/bin/node", "--disable-warning=ExperimentalWarning", file];
    const installs = [`node@${version}`];
    return [
      { name: `Node ${version}: a turn`, installs, commands: [run("hello.mjs")] },
      { name: `Node ${version}: the command, as a server`, installs, commands: [run("serve.mjs")] },
    ];
  }),
  {
    name: "Bun: a turn",
    installs: ["bun"],
    commands: [["node_modules/.bin/bun", "hello.mjs"]],
  },
  {
    name: "Next: a page that mounts the handler",
    installs: ["next", "react", "react-dom"],
    commands: [["node_modules/.bin/next", "build", "next-app"]],
  },
  {
    name: "publint, strict",
    installs: ["publint"],
    commands: [["node_modules/.bin/publint", "--strict", "node_modules/cairn-agent"]],
  },
  {
    name: "are the types wrong",
    installs: ["@arethetypeswrong/cli"],
    commands: [["node_modules/.bin/attw", "--profile", "esm-only", "--format", "table-flipped", "cairn-agent.tgz"]],
  },
];
