/** Tests what `cairn doctor` says about the tools: which tools work, and how to fix the others. */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliBench } from "../../test/cli-bench.ts";
import type { Finding } from "./finding.ts";

const OFF = { CAIRN_SEARCH: "none", CAIRN_SANDBOX: "none" };

describe("doctor", () => {
  let bench: CliBench;
  beforeAll(async () => {
    bench = await CliBench.open();
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  const examine = async (env: Readonly<Record<string, string>>) => {
    const { code, stdout } = await bench.run(["doctor", "--json"], { env });
    const findings: Finding[] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    return { code, of: (check: Finding["check"]) => findings.filter((finding) => finding.check === check) };
  };

  it("tries every tool, and does not report a tool that is only not installed as broken", async () => {
    const { code, of } = await examine({ PATH: process.env.PATH ?? "" });
    expect(code).toBe(0);
    expect(of("search")).toMatchObject([{ ok: true, message: expect.stringContaining("the sample library") }]);
    expect(of("documents")).toMatchObject([{ ok: true, message: expect.stringContaining("Typst") }]);
    expect(of("programs")).toHaveLength(2);
    for (const finding of [...of("programs"), ...of("html documents")])
      if (!finding.ok) expect(finding).toMatchObject({ isOptional: true, fix: expect.stringMatching(/install/i) });
    expect(of("mcp")).toEqual([]);
    expect(existsSync(join(bench.folder, ".cairn"))).toBe(false);
  });

  it("says what was switched off", async () => {
    const { code, of } = await examine(OFF);
    expect(code).toBe(0);
    expect(of("search")).toMatchObject([{ ok: true, message: "switched off (CAIRN_SEARCH is none)" }]);
    expect(of("programs")).toMatchObject([{ ok: true, message: "switched off (CAIRN_SANDBOX is none)" }]);
  });

  it.each([
    ["search", { ...OFF, CAIRN_SEARCH: "brave" }, "BRAVE_API_KEY is not set"],
    ["search", { ...OFF, CAIRN_SEARCH: "searxng:http://127.0.0.1:1" }, "127.0.0.1:1"],
    ["programs", { ...OFF, CAIRN_SANDBOX: "chroot" }, "Set it to one of auto, bubblewrap, deno, none"],
  ] as const)("reports the problem with %s once, with its fix", async (check, env, message) => {
    const { code, of } = await examine(env);
    expect(code).toBe(1);
    expect(of(check)).toMatchObject([
      { ok: false, message: expect.stringContaining(message), fix: expect.any(String) },
    ]);
  });

  it("tries the models that messages may ask for, because a missing one keeps a server from starting", async () => {
    const { code, of } = await examine({ ...OFF, CAIRN_MODELS: "offline,anthropic:claude-sonnet-5" });
    expect(code).toBe(1);
    expect(of("model").slice(1)).toMatchObject([
      { ok: true, message: "messages may ask for offline" },
      {
        ok: false,
        message: expect.stringContaining("ANTHROPIC_API_KEY"),
        fix: expect.stringContaining("CAIRN_MODELS"),
      },
    ]);
  });

  it("names MCP servers that cannot be reached, and skills that are skipped", async () => {
    const mcp = { gone: { command: "/no/such/program", allow: "all" } };
    await using other = await CliBench.open();
    await other.write("cairn.config.json", JSON.stringify({ mcp }));
    await mkdir(join(other.folder, ".agents/skills/letters"), { recursive: true });
    await other.write(".agents/skills/letters/SKILL.md", "---\nname: letters\n---\n");
    const { code, stdout } = await other.run(["doctor"], { env: OFF });
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ mcp: .*gone/);
    expect(stdout).toMatch(/✗ skills: .*letters.* is skipped: .*description.*\n {2}→ Correct the skill/);
  });
});
