import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openEmbeddedStore } from "@cairn/store";
import { describe, expect, it } from "vitest";
import { CliBench } from "../../test/cli-bench.ts";
import { spellScope, takeScope } from "./scope-option.ts";

describe("--scope", () => {
  it("is removed from the arguments at any place and in any spelling", () => {
    const scope = { tenant: "acme", project: "a/b", user: "ada" };
    expect(takeScope(["x", "--scope", "acme/a%2Fb/ada", "--json"])).toEqual({ rest: ["x", "--json"], scope });
    expect(takeScope(["--scope=acme/a%2Fb/ada"])).toEqual({ rest: [], scope });
    expect(takeScope(["x", "--", "--scope", "y"])).toEqual({ rest: ["x", "--", "--scope", "y"] });
    for (const wrong of ["", "acme", "a/b", "a//c", "a/b/c/d"])
      expect(() => takeScope(["--scope", wrong])).toThrow("<tenant>/<project>/<user>");
  });

  it("reads the spelling of any names", () => {
    const scope = { tenant: "a/b", project: "50%2F", user: "ada b" };
    expect(takeScope(["--scope", spellScope(scope)])).toEqual({ rest: [], scope });
  });

  it("makes a command use that scope's conversations, and writes a line to the audit log", async () => {
    await using bench = await CliBench.open();
    const store = await openEmbeddedStore({ dir: join(bench.folder, ".cairn") });
    await store.createConversation({ tenant: "acme", project: "site", user: "ada", conversation: "hers" });
    await store.close();
    const env = { CAIRN_AUDIT: join(bench.folder, "audit.log") };
    const named = ["--scope", "acme/site/ada"];
    expect((await bench.run(["list"], { env })).stdout).toBe("");
    expect((await bench.run(["list", ...named], { env })).stdout).toContain("hers");
    expect(await bench.run(["delete", "hers", "--yes"], { env })).toMatchObject({ code: 3 });
    expect(await bench.run(["delete", "hers", "--yes", ...named], { env })).toMatchObject({ code: 0 });
    expect(await bench.run(["quarantine"], { env })).toMatchObject({ code: 0, stdout: "" });
    expect(await bench.run(["quarantine", "release", "hers", "turn_1", ...named], { env })).toMatchObject({ code: 3 });
    const lines = (await readFile(env.CAIRN_AUDIT, "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { via: "cli", method: "CLI", route: "list", tenant: "acme", project: "site", user: "ada" },
      { route: "delete", conversation: "hers", tenant: "acme" },
      { route: "quarantine list", tenant: null },
      { route: "quarantine release", conversation: "hers", turn: "turn_1", user: "ada" },
    ]);
  });

  it("never writes file names, messages or values of options to the audit log", async () => {
    await using bench = await CliBench.open();
    const env = { CAIRN_AUDIT: join(bench.folder, "audit.log") };
    const named = ["--scope", "acme/site/ada"];
    await bench.run(["import", "secret-file.jsonl", "--as", "hers", ...named], { env });
    await bench.run(["export", "--out", "secret-file.jsonl", "hers", ...named], { env });
    await bench.run(["chat", "secret message", ...named], { env });
    await bench.run(["chat", "--attach=secret.txt", "--conversation", "hers", ...named], { env });
    await bench.run(["orders", "--add", "secret order", "hers", ...named], { env });
    const log = await readFile(env.CAIRN_AUDIT, "utf8");
    expect(log).not.toContain("secret");
    const lines = log.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).conversation)).toEqual(["hers", "hers", null, "hers", "hers"]);
  });
});
