import { expect, it } from "vitest";
import { loadOptional } from "./load-optional.ts";

it("a missing optional package is reported with the command that installs it, and other errors stay as they are", async () => {
  const missing = Object.assign(new Error("Cannot find package 'pg'"), { code: "ERR_MODULE_NOT_FOUND" });
  await expect(loadOptional(() => Promise.reject(missing), "CAIRN_DATABASE", "pg")).rejects.toMatchObject({
    code: "bad_setting",
    message: "CAIRN_DATABASE needs optional packages. Install them: npm install pg",
  });
  const other = new Error("syntax");
  await expect(loadOptional(() => Promise.reject(other), "CAIRN_DATABASE", "pg")).rejects.toBe(other);
  expect(await loadOptional(() => Promise.resolve(1), "CAIRN_DATABASE", "pg")).toBe(1);
});
