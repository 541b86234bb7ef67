import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openEmbeddedStore } from "@cairn/store";
import { expect, it } from "vitest";
import { removeLeftWorkspaces } from "./left-workspaces.ts";
import { LOCAL_SCOPE, workspaceFolder } from "./local-data.ts";

it("folders of conversations that retention or a tenant's deletion removed go, and no others", async () => {
  const dir = await mkdtemp(join(tmpdir(), "cairn-left-"));
  const store = await openEmbeddedStore({ dir });
  try {
    expect(await removeLeftWorkspaces(dir, store)).toBe(0);
    const kept = { ...LOCAL_SCOPE, conversation: "kept" };
    const odd = { ...LOCAL_SCOPE, conversation: "../Odd name" };
    const other = { tenant: "acme", project: "p", user: "u", conversation: "kept" };
    const gone = [
      { ...LOCAL_SCOPE, conversation: "gone" },
      { ...other, tenant: "leaving" },
      { ...other, tenant: "leaving", conversation: "Another" },
    ];
    for (const key of [kept, odd, other, ...gone]) {
      await store.createConversation(key);
      await mkdir(join(workspaceFolder(dir, key), "turn_1"), { recursive: true });
      await writeFile(join(workspaceFolder(dir, key), "turn_1", "secret.txt"), "A secret.");
    }
    await store.deleteConversation({ ...LOCAL_SCOPE, conversation: "gone" });
    await store.deleteTenant("leaving");
    expect(await removeLeftWorkspaces(dir, store)).toBe(3);
    const names = [kept, odd, other].map((key) => basename(workspaceFolder(dir, key)));
    expect((await readdir(join(dir, "workspaces"))).toSorted()).toEqual(names.toSorted());
    expect(await removeLeftWorkspaces(dir, store)).toBe(0);
  } finally {
    await store.close();
    await rm(dir, { recursive: true });
  }
});
