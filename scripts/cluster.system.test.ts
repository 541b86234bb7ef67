/** Tests the cluster that the README offers, started as a newcomer would start it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { whyNoPostgres } from "@cairn/testkit/store";
import { describe, expect, it } from "vitest";

const SCRIPT = fileURLToPath(new URL("cluster.ts", import.meta.url));
const missing = whyNoPostgres();
const PATIENT = { timeout: 120_000, interval: 100 };

describe.skipIf(missing !== null)(`npm run cluster${missing === null ? "" : ` (${missing})`}`, () => {
  it("answers at one server what was asked at another, and leaves nothing behind", { timeout: 300_000 }, async () => {
    const child = spawn(process.execPath, [SCRIPT, "--workers", "1"], {
      // The test starts the cluster from the sources, as a newcomer does.
      env: { ...process.env, NODE_OPTIONS: "" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const exit = once(child, "exit");
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    try {
      await expect.poll(() => said, PATIENT).toContain("Ctrl-C ends everything");
      const [asked = "", other = ""] = [...said.matchAll(/^server (\S+)/gm)].map(([, address]) => address);
      const post = async (path: string, body: object) => {
        const headers = { "content-type": "application/json" };
        const response = await fetch(asked + path, { method: "POST", headers, body: JSON.stringify(body) });
        return await response.json();
      };
      const { conversation_id } = await post("/api/conversations", {});
      await post(`/api/conversations/${conversation_id}/turns`, {
        message: "How do I mount it in Express?",
      });
      const read = async () => {
        const { conversation, turns } = await (await fetch(`${other}/api/conversations/${conversation_id}`)).json();
        return `${conversation.status}: ${turns[0]?.completion?.text}`;
      };
      await expect.poll(read, PATIENT).toMatch(/^idle: .*Express.*\[\[S:\d+\]\]/s);
    } finally {
      child.kill("SIGTERM");
    }
    expect(await exit).toEqual([0, null]);
    const pids = [...said.matchAll(/\(pid (\d+)\)/g)].map(([, pid]) => Number(pid));
    expect(pids).toHaveLength(3);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
});
