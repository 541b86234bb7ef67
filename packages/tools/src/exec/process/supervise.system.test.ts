import { expect, it } from "vitest";
import { DEFAULT_LIMITS } from "./limits.ts";
import { sealedStdio } from "./sealed-stdio.ts";
import { supervise } from "./supervise.ts";

const run = (script: string, limits = DEFAULT_LIMITS) =>
  supervise(
    { command: "/bin/sh", args: ["-c", script], stdio: sealedStdio(), env: {}, owner: null, limits, writable: [] },
    { signal: new AbortController().signal },
  );

it.skipIf(process.platform !== "linux")("the kernel kills programs first when memory runs out", async () => {
  expect(await run("cat /proc/self/oom_score_adj")).toMatchObject({ fault: null, status: 0, log: "1000\n" });
});

it("supervision returns how the program ended and its output", async () => {
  expect(await run("echo out; echo err >&2; exit 3")).toEqual({
    fault: null,
    status: 3,
    signal: null,
    log: "out\nerr\n",
  });
});
