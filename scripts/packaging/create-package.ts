/**
 * The package behind `npm create`: the program in `create`, with its template. The template is in this repository with
 * the names and versions of this repository; a user gets those of the published package.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkerVersions } from "@cairn/testkit/checkers";
import { projectRoot } from "../run-command.ts";
import { license, packageName, version, withPublishedNames } from "./parts.ts";

/** `npm create x` runs the package `create-x`. */
export const createName = `create-${packageName}`;

/** The first Node that runs TypeScript without a flag. */
const TEMPLATE_NODE = "22.18";

const LIBRARIES = ["@ai-sdk/react", "ai", "react", "react-dom", "vite", "zod"];
const DEVELOPMENT = ["@types/node", "@types/react", "@types/react-dom", "typescript"];

export function writeCreatePackage(out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, "template"), { recursive: true });
  const source = join(projectRoot, "create");
  cpSync(join(source, "create.mjs"), join(out, "create.mjs"));
  cpSync(join(projectRoot, "LICENSE"), join(out, "LICENSE"));
  for (const name of readdirSync(join(source, "template"))) {
    const text = readFileSync(join(source, "template", name), "utf8");
    writeFileSync(join(out, "template", name), withPublishedNames(text));
  }
  writeJson(join(out, "template/package.json"), templateManifest());
  writeJson(join(out, "package.json"), {
    name: createName,
    version,
    description: `Makes a project with an agent, a chat page and tests: npm create ${packageName} my-agent`,
    license,
    type: "module",
    bin: { [createName]: "./create.mjs" },
    files: ["create.mjs", "template"],
    engines: { node: ">=20" },
  });
}

function templateManifest() {
  return {
    name: "agent",
    private: true,
    type: "module",
    scripts: { start: "vite build --logLevel error && node server.ts", test: "tsc && node --test agent.test.ts" },
    dependencies: { [packageName]: `^${version}`, ...pick(LIBRARIES) },
    devDependencies: pick(DEVELOPMENT),
    engines: { node: `>=${TEMPLATE_NODE}` },
  };
}

/** The versions with which this repository is tested. */
function pick(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `^${checkerVersions[name] ?? installedVersion(name)}`]));
}

function installedVersion(name: string): string {
  return JSON.parse(readFileSync(join(projectRoot, "node_modules", name, "package.json"), "utf8")).version;
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
