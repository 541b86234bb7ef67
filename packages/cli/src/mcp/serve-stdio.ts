/** `cairn mcp`: serves the agent over standard streams until the other program closes them. */
import { once } from "node:events";
import { checkAgentFits } from "@cairn/agent";
import { loadTokenizer } from "@cairn/timeline";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { openAgent, workspaceFolder } from "cairn-agent/process";
import manifest from "../../package.json" with { type: "json" };
import { openAdmission } from "../chat/admission.ts";
import { EXIT, type ExitCode } from "../command/exit-code.ts";
import { keyOf, openData, scopeOf } from "../command/open-data.ts";
import type { Terminal } from "../command/terminal.ts";
import { agentServer } from "./agent-server.ts";

export async function serveAgent(terminal: Terminal): Promise<ExitCode> {
  await using data = await openData(terminal, { create: true });
  const { settings, store } = data;
  const owner = scopeOf(terminal);
  await using opened = await openAgent(settings, terminal.env, null, { store, owner });
  const { agent, problems } = opened;
  // Standard output carries the protocol.
  for (const problem of problems) terminal.stderr.write(`${problem}\n`);
  const countTokens = await loadTokenizer();
  checkAgentFits(agent, countTokens);
  const folderOf = (conversation: string) => workspaceFolder(settings.dataDir, keyOf(terminal, conversation));
  const admission = openAdmission(settings, store, opened);
  const parts = { store, owner, agent, admission, countTokens, folderOf, version: manifest.version };
  const ended = once(terminal.stdin, "end");
  const served = serveStdio(() => agentServer(parts));
  await ended;
  await served.close();
  return EXIT.ok;
}
