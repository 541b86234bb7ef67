/** `cairn mcp`: serves the agent over standard streams until the other program closes them. */
import { once } from "node:events";
import { checkAgentFits } from "@cairn/agent";
import { agentServer, RequestStates } from "@cairn/server/mcp";
import type { Scope } from "@cairn/store";
import { loadTokenizer } from "@cairn/timeline";
import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { newConversationId, openAgent, SecretBox, workspaceFolder } from "cairn-agent/process";
import manifest from "../../package.json" with { type: "json" };
import { openAdmission } from "../chat/conversation/admission.ts";
import { EXIT, type ExitCode } from "../command/exit-code.ts";
import { openData, scopeOf } from "../command/open-data.ts";
import type { Terminal } from "../command/terminal.ts";
import { type LocalTalkParts, localTalk } from "./local-talk.ts";

export async function serveAgent(terminal: Terminal): Promise<ExitCode> {
  await using data = await openData(terminal, { create: true });
  const { settings, store } = data;
  const owner = scopeOf(terminal);
  await using opened = await openAgent(settings, terminal.env, null, { store, owner });
  const { agent, problems } = opened;
  // Problems go to standard error, because standard output carries the protocol.
  const warn = (problem: unknown) => terminal.stderr.write(`${problem}\n`);
  for (const problem of problems) warn(problem);
  const countTokens = await loadTokenizer();
  checkAgentFits(agent, countTokens);
  const admission = openAdmission(settings, store, opened, terminal.env);
  const box = new SecretBox(settings, store);
  const states = new RequestStates(() => box.signingKey("mcp request states"), owner);
  const parts = { store, agent, admission, countTokens, owner, states, dataDir: settings.dataDir, warn };
  const ended = once(terminal.stdin, "end");
  const served = serveStdio(() => localServer(parts));
  await ended;
  await served.close();
  return EXIT.ok;
}

interface LocalServerParts extends LocalTalkParts {
  readonly owner: Scope;
  readonly states: RequestStates;
  readonly dataDir: string;
  readonly warn: (problem: unknown) => void;
}

/** The agent as a server for the user of this process. */
export function localServer({ owner, states, dataDir, warn, ...parts }: LocalServerParts): McpServer {
  const keyOf = (conversation: string) => ({ ...owner, conversation });
  const calling = {
    talk: (conversation: string) =>
      localTalk(parts, keyOf(conversation), workspaceFolder(dataDir, keyOf(conversation))),
    takeRoom: async () => () => undefined,
    isAllowed: async () => true,
    record: async () => undefined,
  };
  return agentServer({
    store: parts.store,
    owner,
    agents: [parts.agent.name],
    states,
    version: manifest.version,
    newConversation: () => newConversationId(Date.now()),
    callingOf: () => calling,
    onFailure: warn,
  });
}
