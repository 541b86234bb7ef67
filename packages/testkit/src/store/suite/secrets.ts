/** Tests the secrets of a scope: only this scope reads them, and they are deleted with their tenant. */
import { copyStore } from "@cairn/store";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../memory/memory-store.ts";
import { codeOf, type OpenStore, useStore } from "./opened-store.ts";

export function secretsSuite(open: OpenStore): void {
  describe("secrets", () => {
    const bench = useStore(open);
    let users = 0;
    const newUser = (tenant = "t") => ({ tenant, project: "p", user: `keeper ${++users}` });
    const bytes = (text: string) => new TextEncoder().encode(text);

    it("are read by the scope that wrote them, and by no other", async () => {
      const { store, newKey } = bench();
      const scope = newUser();
      expect(await store.readSecret(scope, "mcp:shop")).toBeNull();
      await store.writeSecret(scope, "mcp:shop", bytes("first"));
      await store.writeSecret(scope, "mcp:shop", bytes("second"));
      await store.writeSecret(scope, "mcp:files", new Uint8Array([0, 255, 0]));
      expect(await store.readSecret(newKey(scope), "mcp:shop")).toEqual(bytes("second"));
      expect(await store.readSecret(scope, "mcp:files")).toEqual(new Uint8Array([0, 255, 0]));
      for (const other of [{ tenant: "t2" }, { project: "p2" }, newUser()])
        expect(await store.readSecret({ ...scope, ...other }, "mcp:shop")).toBeNull();
      await store.writeSecret(scope, "mcp:shop", null);
      await store.writeSecret(scope, "mcp:shop", null);
      expect(await store.readSecret(scope, "mcp:shop")).toBeNull();
      expect(await store.readSecret(scope, "mcp:files")).not.toBeNull();
    });

    it("have a name and at most 64 KiB", async () => {
      const { store } = bench();
      const scope = newUser();
      expect(await codeOf(store.writeSecret(scope, "", bytes("x")))).toBe("bad_scope");
      expect(await codeOf(store.writeSecret(scope, "a", new Uint8Array(65_537)))).toBe("too_large");
      expect(await codeOf(store.writeSecret({ ...scope, user: "" }, "a", bytes("x")))).toBe("bad_scope");
      await store.writeSecret(scope, "a", new Uint8Array(65_536));
      expect((await store.readSecret(scope, "a"))?.length).toBe(65_536);
    });

    it("are updated in one transaction: no update is lost, and none brings a deleted secret back", async () => {
      const { store } = bench();
      const scope = newUser();
      const append = (value: Uint8Array) => new Uint8Array([...value, value.length]);
      expect(await store.updateSecret(scope, "a", append)).toBe(false);
      expect(await store.readSecret(scope, "a")).toBeNull();
      await store.writeSecret(scope, "a", new Uint8Array());
      await Promise.all(Array.from({ length: 5 }, () => store.updateSecret(scope, "a", append)));
      expect(await store.readSecret(scope, "a")).toEqual(new Uint8Array([0, 1, 2, 3, 4]));
      const refuse = () => {
        throw new Error("no change");
      };
      await expect(store.updateSecret(scope, "a", refuse)).rejects.toThrow("no change");
      expect(await codeOf(store.updateSecret(scope, "a", () => new Uint8Array(65_537)))).toBe("too_large");
      expect((await store.readSecret(scope, "a"))?.length).toBe(5);
      expect(await store.updateSecret(scope, "a", () => null)).toBe(true);
      expect(await store.updateSecret(scope, "a", append)).toBe(false);
      expect(await store.readSecret(scope, "a")).toBeNull();
    });

    it("are copied to another store, whose own are kept, and are deleted with their tenant", async () => {
      const { store, clock } = bench();
      const [mine, others] = [newUser(`leaves ${++users}`), newUser()];
      for (const scope of [mine, others])
        for (const name of ["a", "b"]) await store.writeSecret(scope, name, bytes(name));
      const target = new MemoryStore(clock);
      await target.writeSecret(mine, "a", bytes("newer"));
      await copyStore(store, target, { tenant: mine.tenant });
      const copied = await Array.fromAsync(target.secrets());
      expect(copied.map(({ scope, name, value }) => [scope, name, new TextDecoder().decode(value)])).toEqual([
        [mine, "a", "newer"],
        [mine, "b", "b"],
      ]);
      await store.deleteTenant(mine.tenant);
      expect(await store.readSecret(mine, "a")).toBeNull();
      expect(await store.readSecret(others, "a")).toEqual(bytes("a"));
      await target.close();
    });
  });
}
