import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../run-command.ts";
import { readDockerfile } from "./dockerfile.ts";

test("the image installs the parts in the versions that the tests run with", () => {
  const stages = readDockerfile(readFileSync(join(projectRoot, "deploy/Dockerfile"), "utf8"));
  const argument = stages.flatMap(({ instructions }) => instructions).find(({ name }) => name === "ARG");
  const [, parts = ""] = /^PARTS="(.*)"$/.exec(argument?.value ?? "") ?? [];
  const installed = parts.split(" ").map((part) => {
    const name = part.slice(0, part.lastIndexOf("@"));
    const manifest = readFileSync(join(projectRoot, "node_modules", name, "package.json"), "utf8");
    return `${name}@${JSON.parse(manifest).version}`;
  });
  expect(parts.split(" ")).toEqual(installed);
});
