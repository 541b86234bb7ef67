/** Tests that programs end when their turn ends, and when the process that started them ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { reactTools } from "@cairn/agent";
import { leftRunning, tryBubblewrap, tryDeno } from "@cairn/testkit/sandbox";
import { callOf, playTurn, TurnBench } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { execTools } from "./exec-tools.ts";
import { LANGUAGES } from "./stage/program.ts";

const sandboxes = [await tryBubblewrap(), await tryDeno()];

describe.each(sandboxes)("in $sandbox.name", ({ sandbox, missing }) => {
  it.skipIf(missing !== null)("a cancelled turn ends its program at once, and keeps what it has printed", async () => {
    await using bench = await TurnBench.open({
      agent: { tools: [...reactTools(), ...execTools({ sandbox: sandbox.name })] },
    });
    const code = "console.log('one'); for (;;) await new Promise((resolve) => setTimeout(resolve, 50));";
    const call = callOf("exec_tools.execute_code_js", { code, timeout_s: 600 });
    bench.simulator.script([{ reply: call }, { reply: { text: "Done." } }]);
    await bench.say("Run it.");
    const running = bench.run();
    while (!bench.signals.some((signal) => signal.type === "progress" && signal.text === "one")) await pause(10);
    await bench.append(makeEvent("cancel.requested", { key: "stop", ts: "2026-02-09T10:00:01Z" }));
    expect(await running).toMatchObject({ end: { exit: "cancelled" } });
    const results = (await bench.blocks()).filter(({ type }) => type === "react.tool.result");
    expect(results).toHaveLength(2);
    expect(JSON.parse(results[0]?.text ?? "null")).toMatchObject({ error: { code: "tool_cancelled" } });
    expect(results[1]?.text).toBe(
      "Runtime error: tool_cancelled — The program was stopped before it ended.\nProgram log (tail):\none\n",
    );
  });

  it.skipIf(missing !== null || process.platform !== "linux").each(LANGUAGES)(
    "a %s program does not outlive the process that runs it, even if that is killed",
    async (language) => {
      const host = spawn(
        process.execPath,
        [new URL("../../test/stalling-host.ts", import.meta.url).pathname, sandbox.name, language],
        {
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      const exit = once(host, "exit");
      let root = "";
      for await (const line of host.stdout) {
        root += String(line);
        if (root.endsWith("\n")) break;
      }
      root = root.trim();
      expect((await leftRunning(root)).length).toBeGreaterThan(0);
      host.kill("SIGKILL");
      await exit;
      let left = await leftRunning(root);
      for (let look = 0; left.length > 0 && look < 1_200; look++) {
        await pause(25);
        left = await leftRunning(root);
      }
      for (const pid of left) process.kill(pid, "SIGKILL");
      await rm(root, { recursive: true, force: true });
      expect(left).toEqual([]);
    },
  );

  it.skipIf(missing !== null)("several calls of one decision run side by side, each with its own files", async () => {
    await using bench = await TurnBench.open({
      agent: { tools: [...reactTools(), ...execTools({ sandbox: sandbox.name })] },
    });
    const call = (n: number) => ({
      name: "exec_tools__execute_code_js",
      input: {
        contract: [`{turn}/files/${n}.txt`, "{turn}/files/same.txt"],
        code: `for (const name of ["${n}", "same"]) require("fs").writeFileSync(OUTPUT_DIR + "/{turn}/files/" + name + ".txt", "${n}");`,
      },
    });
    const played = await playTurn(bench, [{ calls: [1, 2, 3].map(call) }]);
    const files = played.sequence.filter((line) => line.includes(" fi:T1.files/"));
    expect(files.filter((line) => !line.includes("same")).sort()).toEqual(
      [1, 2, 3].map((n) => `react.tool.result fi:T1.files/${n}.txt`),
    );
    // The file in the workspace is the latest one on the timeline.
    const last = played.contents("react.tool.result fi:T1.files/same.txt").at(-1);
    const workspace = await bench.store.findByPath(bench.key, "fi:turn_1.files/same.txt");
    expect(String(workspace?.artifact.text)).toBe(String(last));
  });
});
