/** From a data folder to a cluster and back: the same conversations, byte for byte. */
import { join } from "node:path";
import { startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { describe, expect, it } from "vitest";
import { CliBench } from "../cli-bench.ts";

const missing = await whyNoPostgres();

describe("cairn migrate-store", () => {
  it("wants to know where to, and nowhere it is already", async () => {
    await using bench = await CliBench.open();
    await bench.run(["chat"], { input: "Remember that I like tea\n" });
    const to = async (...args: readonly string[]) => (await bench.run(["migrate-store", ...args])).stderr;
    expect(await to()).toContain("--to is missing.");
    expect(await to("--to", ".cairn")).toContain("--to is the store the conversations are in.");
    expect(await to("--to", "elsewhere", "--blobs", "x")).toContain("--blobs goes with a database only.");
    expect(await to("--to", "postgres://127.0.0.1:1/none")).toContain("--blobs is missing");
  });

  it.skipIf(missing !== null)(
    `goes there and back, twice without copying anything twice${missing === null ? "" : ` (${missing})`}`,
    async () => {
      await using bench = await CliBench.open();
      const postgres = await startPostgres();
      try {
        await bench.write("notes.md", "The bridge was built in 1897.");
        await bench.run(["chat", "-a", "notes.md"], { input: "Write a report about the bridge\n" });
        await bench.run(["chat"], { input: "Remember that I like tea\n" });
        const database = await postgres.createDatabase();
        const there = ["migrate-store", "--json", "--to", database, "--blobs", join(bench.folder, "shared")];
        const first = await bench.run(there);
        expect([first.stderr, JSON.parse(first.stdout)]).toEqual(["", { copied: 2, there: 0, gone: 0, checked: 2 }]);
        expect(JSON.parse((await bench.run(there)).stdout)).toEqual({ copied: 0, there: 2, gone: 0, checked: 2 });
        const env = { CAIRN_DATABASE_URL: database, CAIRN_BLOBS_URL: join(bench.folder, "shared") };
        const back = await bench.run(["migrate-store", "--json", "--to", "back"], { env });
        expect(JSON.parse(back.stdout)).toEqual({ copied: 2, there: 0, gone: 0, checked: 2 });
        const listed = async (more: Readonly<Record<string, string>>) =>
          (await bench.run(["list", "--json"], { env: more })).stdout;
        expect(await listed({ CAIRN_DATA_DIR: "back" })).toBe(await listed({}));
      } finally {
        await postgres.close();
      }
    },
  );
});
