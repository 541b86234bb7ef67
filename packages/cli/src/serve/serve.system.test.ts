/** Tests the server as a command: its tokens, its first output, and its end. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CliBench } from "../../test/cli-bench.ts";

describe("cairn token", () => {
  it("prints a token once and stores its hash, readable by its owner only", async () => {
    await using bench = await CliBench.open();
    const first = await bench.run(["token", "--user", "ada", "--tenant", "acme", "--file", "tokens.json"]);
    expect(first.code).toBe(0);
    const token = first.stdout.trim();
    expect(token).toMatch(/^cairn_[\w-]{43}$/);
    const second = JSON.parse((await bench.run(["token", "--user", "bob", "--file", "tokens.json", "--json"])).stdout);
    const file = join(bench.folder, "tokens.json");
    const text = await readFile(file, "utf8");
    expect(text).not.toContain(token);
    expect(JSON.parse(text)).toEqual([
      { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), tenant: "acme", project: "default", user: "ada" },
      second.entry,
    ]);
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  it("adds nothing to a file that is not a list, and requires a user", async () => {
    await using bench = await CliBench.open();
    await bench.write("tokens.json", "{}");
    const refused = await bench.run(["token", "--user", "ada", "--file", "tokens.json"]);
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(await readFile(join(bench.folder, "tokens.json"), "utf8")).toBe("{}");
    expect((await bench.run(["token"])).stderr).toContain("--user is missing.");
  });
});

describe("cairn serve", () => {
  it("prints its address, answers there, and stops cleanly on a signal", async () => {
    await using bench = await CliBench.open();
    let asked: Promise<unknown> | null = null;
    const ended = await bench.spawn(["serve", "--port", "0", "--json"], {
      // Runs from the sources, as `npm start` does.
      env: { NODE_OPTIONS: "" },
      onProgress: (stderr, child) => {
        const listening = stderr.split("\n").find((line) => line.includes('"listening"'));
        if (listening === undefined || asked !== null) return;
        const { port } = JSON.parse(listening);
        asked = fetch(`http://127.0.0.1:${port}/api/meta`)
          .then((response) => response.json())
          .finally(() => child.kill("SIGTERM"));
      },
    });
    expect(await asked).toMatchObject({ scope: { tenant: "local", project: "default", user: "me" }, offline: true });
    expect([ended.code, ended.signal]).toEqual([0, null]);
    expect(JSON.parse(ended.stdout)).toMatchObject({ address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
    expect(ended.stderr).toContain('"stopped"');
  });

  it.each([
    [["--port", "x"], '--port must be a whole number from 0 to 65535, not "x".'],
    [["--port", "65536"], '--port must be a whole number from 0 to 65535, not "65536".'],
    [["--host", "0.0.0.0"], "CAIRN_HOST is 0.0.0.0, which other machines can reach. Set CAIRN_TOKENS"],
    [["--host", "not a host"], "not a host"],
  ])("%j stops the start with one line", async (args, message) => {
    await using bench = await CliBench.open();
    const { code, stderr } = await bench.run(["serve", ...args]);
    expect([code, stderr.includes(message)]).toEqual([2, true]);
  });

  it.each([
    ["CAIRN_SEARCH", "zzz", 'CAIRN_SEARCH=zzz: the service "zzz" is unknown.'],
    ["CAIRN_MODELS", "zzz", '"zzz" is not a model'],
    ["CAIRN_FETCH_ALLOW", "a b", "a b"],
  ])("%s=%s stops the start with one line", async (name, value, message) => {
    await using bench = await CliBench.open();
    const { code, stderr } = await bench.run(["serve"], { env: { [name]: value } });
    expect([code, stderr.includes(message), stderr.trimEnd().split("\n").length]).toEqual([2, true, 1]);
  });
});
