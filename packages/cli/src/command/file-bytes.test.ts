import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { fileBytes } from "./file-bytes.ts";

it("a file that cannot be opened causes an error for its reader, even a late one, and does not end the process", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-bytes-"));
  const gone = fileBytes(join(folder, "gone"));
  // Waits until the file is certainly open: other files of the folder are written and read in this time.
  for (let nth = 0; nth < 20; nth++) await writeFile(join(folder, "there"), "content");
  await wait(0);
  await expect(Array.fromAsync(gone)).rejects.toMatchObject({ code: "ENOENT" });
  expect(Buffer.concat(await Array.fromAsync(fileBytes(join(folder, "there")))).toString()).toBe("content");
  await rm(folder, { recursive: true });
});
