import { afterEach, describe, expect, it } from "vitest";
import { denoSandbox } from "./deno.ts";
import { locateDeno } from "./locate.ts";

const platform = process.platform;
afterEach(() => {
  Object.defineProperty(process, "platform", { value: platform });
});

describe.skipIf(platform !== "linux" || locateDeno() === null)("Deno", () => {
  it("is chosen if the system can confine it", async () => {
    expect(await denoSandbox().check("js")).toMatchObject({ ok: true });
  });

  it("is not chosen if nothing confines it and its programs can make links", async () => {
    // Simulates a system without a mechanism that confines Deno.
    Object.defineProperty(process, "platform", { value: "freebsd" });
    expect(await denoSandbox().check("js")).toMatchObject({
      ok: false,
      problem: expect.stringContaining("can make links"),
    });
  });
});
