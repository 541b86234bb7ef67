/** `cairn render`: the exact body of one request, or as text the model's view in it or in the next request. */
import { once } from "node:events";
import {
  nextRequest,
  type PastRequest,
  rebuildRequest,
  type SpelledRequest,
  spellerEnvironment,
  spellerOf,
  spellRequest,
} from "@cairn/agent";
import type { ConversationKey } from "@cairn/store";
import { CairnError, debugPrint, loadTokenizer, type MessageBlock } from "@cairn/timeline";
import { Agents, chooseAgent } from "cairn-agent/turns";
import { type Command, readArgs, readCount } from "../command/command.ts";
import { EXIT, type ExitCode } from "../command/exit-code.ts";
import { type Data, keyOf, openData } from "../command/open-data.ts";
import { paint, type Terminal, writeJson } from "../command/terminal.ts";

export const render: Command = {
  summary: "print the requests that were sent to the model",
  usage: `render <id> [--request <n>] [--text] [--json]

  --request <n>  the body of request n exactly as it was sent, checked against its receipt; without this option,
                 the text of the request that would be sent next
  --text         the request as text: system text, tools and messages; =>[n] marks a cache checkpoint
  --json         one JSON line with all known data of the request

  The offline model sends nothing over a network, so its requests are printed as text. The exit code is 1 if a
  request cannot be rebuilt as it was sent; standard error says why.`,
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(
      args,
      { request: { type: "string" }, text: { type: "boolean" }, json: { type: "boolean" } },
      ["<id>"],
    );
    await using data = await openData(terminal);
    const conversation = positionals[0] ?? "";
    await data.store.getConversation(keyOf(terminal, conversation));
    const json = values.json === true;
    if (values.request === undefined) return await printNext(data, conversation, json, terminal);
    const n = readCount("--request", values.request, 1);
    const past = await rebuildRequest(data.store, keyOf(terminal, conversation), n, await loadTokenizer());
    if (json) return await printJson(data, conversation, past, terminal);
    if (values.text === true || past.record.sent === null) return printText(past, terminal);
    return await printBody(data, conversation, past, terminal);
  },
};

async function printNext(data: Data, conversation: string, json: boolean, terminal: Terminal): Promise<ExitCode> {
  const { store, settings } = data;
  const key = keyOf(terminal, conversation);
  const agents = await Agents.load(settings, spellerEnvironment(terminal.env), store);
  try {
    const { agent, request } = await nextRequest({
      store,
      key,
      agent: (turnId, choice) => chooseAgent({ store, agents }, key, turnId, choice),
      countTokens: await loadTokenizer(),
      now: Date.now,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    const { system, tools, inText, view } = request;
    if (agent.hooks?.beforeTurn !== undefined || agent.hooks?.beforeRequest !== undefined)
      terminal.stderr.write("The hooks of the agent did not run, so the request lacks notices that they may add.\n");
    if (json)
      writeJson(terminal.stdout, {
        request: null,
        model: agent.model.id,
        system,
        tools,
        stable: view.stableLength,
        messages: view.messages(),
      });
    else terminal.stdout.write(textOf(system, inText?.text ?? JSON.stringify(tools), view.messages()));
    return EXIT.ok;
  } finally {
    await agents.close();
  }
}

async function printBody(data: Data, conversation: string, past: PastRequest, terminal: Terminal): Promise<ExitCode> {
  const { stdout, stderr } = terminal;
  const { body, same, difference } = await spell(data, keyOf(terminal, conversation), past);
  // A terminal gets a line break at the end; a program gets the exact bytes.
  if (!stdout.write(stdout.isTTY === true ? `${body}\n` : body)) await once(stdout, "drain");
  if (same === true) return EXIT.ok;
  stderr.write(
    `${paint(stderr, "red", "cairn:")} the printed bytes are not the bytes that request ${past.n} sent: ${difference}.\n`,
  );
  return EXIT.failed;
}

function printText(past: PastRequest, { stdout, stderr }: Terminal): ExitCode {
  const { check, n, record } = past;
  stdout.write(textOf(past.system, past.tools, past.messages));
  if (record.sent?.instruction !== undefined) stdout.write(`[INSTRUCTION]\n${record.sent.instruction}\n`);
  if (check.same) return EXIT.ok;
  const why = check.rendererChanged
    ? "the renderer has changed since then"
    : "the stored data differs from what was sent";
  stderr.write(
    `${paint(stderr, "red", "cairn:")} message block ${check.firstDifference} of request ${n} differs from what was sent: ${why}.\n`,
  );
  return EXIT.failed;
}

async function printJson(data: Data, conversation: string, past: PastRequest, terminal: Terminal): Promise<ExitCode> {
  const { n, seq, turnId, model, system, tools, messages, receipt, record, check, miss, cold } = past;
  const key = keyOf(terminal, conversation);
  const { difference, same } = record.sent === null ? NOT_SENT : await spell(data, key, past).catch(unspelled);
  const wire = record.sent === null ? null : { same, difference };
  writeJson(terminal.stdout, {
    request: n,
    seq,
    turn_id: turnId,
    model,
    system,
    tools: JSON.parse(tools),
    messages,
    receipt: { ...receipt, ...record },
    check,
    wire,
    miss,
    cold,
  });
  return check.same && same !== false ? EXIT.ok : EXIT.failed;
}

type Verdict = Pick<SpelledRequest, "same" | "difference">;
const NOT_SENT: Verdict = { same: null, difference: null };

/** If a request cannot be serialised by this version, the reason and the known data are shown. */
function unspelled(error: unknown): Verdict {
  if (!CairnError.is(error)) throw error;
  return { same: null, difference: error.message };
}

async function spell({ store, settings }: Data, key: ConversationKey, past: PastRequest): Promise<SpelledRequest> {
  const model = await spellerOf(
    past,
    settings.agents.flatMap(({ model: own, fallback = [] }) => [own, ...fallback]),
  );
  return spellRequest(store, key, past, model);
}

function textOf(system: string, tools: string, messages: readonly MessageBlock[]): string {
  return `[SYSTEM]\n${system}\n\n[TOOLS]\n${tools}\n\n${debugPrint(messages)}`;
}
