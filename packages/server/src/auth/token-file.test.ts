import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ServerBench } from "../../test/server-bench.ts";
import { TokenFile } from "./token-file.ts";
import { newToken } from "./tokens.ts";

describe("a file of tokens", () => {
  const [ada, bob] = ["ada", "bob"].map((user) => newToken({ tenant: "acme", project: "site", user }));
  if (ada === undefined || bob === undefined) throw new Error("There are not two.");

  it("accepts added tokens and rejects removed ones, without a restart", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-tokens-"));
    const file = join(folder, "tokens.json");
    await writeFile(file, JSON.stringify([ada.entry]));
    await using bench = await ServerBench.open({ server: { tokens: file } });
    const ask = async (token: string) =>
      (await bench.fetch("/api/meta", { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await ask(ada.token), await ask(bob.token)]).toEqual([200, 401]);
    await writeFile(file, JSON.stringify([bob.entry]));
    while ((await ask(bob.token)) !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await ask(ada.token)).toBe(401);
    await rm(folder, { recursive: true });
  });

  it("a file of tokens that is invalid changes nothing, one that is missing rejects everybody, and both are reported once", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-tokens-"));
    const path = join(folder, "tokens.json");
    const problems: string[] = [];
    let now = 0;
    await writeFile(path, JSON.stringify([ada.entry]));
    const file = await TokenFile.open(path, { now: () => now, warn: (problem) => problems.push(problem) });
    const known = async () => {
      now += 1_000;
      const all = [await file.find(ada.token), await file.find(bob.token)];
      return all.map((caller) => caller?.subject ?? null);
    };
    await writeFile(path, "[{");
    expect([await known(), await known()]).toEqual([
      ["ada", null],
      ["ada", null],
    ]);
    await rm(path);
    expect(await known()).toEqual([null, null]);
    expect(problems).toEqual([expect.stringContaining("not JSON"), expect.stringContaining("cannot be read")]);
    await writeFile(path, JSON.stringify([bob.entry]));
    // The file is not checked again, because the last check was less than a second ago.
    expect(await file.find(bob.token)).toBeNull();
    expect(await known()).toEqual([null, "bob"]);
    await writeFile(path, "[]");
    expect(await known()).toEqual([null, null]);
    await rm(folder, { recursive: true });
  });
});
