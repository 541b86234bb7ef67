/** `cairn render`: what the model saw in one request, or what it would see next. */
import { type PastRequest, rebuildRequest } from "@cairn/agent";
import { CairnError, debugPrint, loadTokenizer, Timeline } from "@cairn/timeline";
import { type Command, readArgs, readCount } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type Data, keyOf, openData } from "../open-data.ts";
import { paint, type Terminal, writeJson } from "../terminal.ts";

export const render: Command = {
  summary: "print what the model saw, request by request",
  usage: `render <id> [--request <n>] [--system] [--json]

  --request <n>  the n-th request of the conversation, checked against its receipt; without it what comes next
  --system       the system text and the tools of that request too
  --json         one JSON line with everything

  =>[n] marks a cache checkpoint. Exit code 1 when the request cannot be rebuilt as it was sent.`,
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(
      args,
      { request: { type: "string" }, system: { type: "boolean" }, json: { type: "boolean" } },
      ["<id>"],
    );
    await using data = await openData(terminal);
    const conversation = positionals[0] ?? "";
    await data.store.getConversation(keyOf(conversation));
    const json = values.json === true;
    if (values.request === undefined) {
      if (values.system === true) throw new CairnError("usage", "--system goes with --request.");
      return await printNext(data, conversation, json, terminal);
    }
    const n = readCount("--request", values.request, 1);
    const request = await rebuildRequest(data.store, keyOf(conversation), n, await loadTokenizer());
    return printPast(request, { json, withSystem: values.system === true }, terminal);
  },
};

/** The announcement is not part of it: it is made when the request is. */
async function printNext(
  { store }: Data,
  conversation: string,
  json: boolean,
  { stdout }: Terminal,
): Promise<ExitCode> {
  const { state } = await store.load(keyOf(conversation));
  const timeline = Timeline.fromState(state, { clock: { now: Date.now }, countTokens: await loadTokenizer() });
  const view = timeline.render({ includeSources: true });
  if (json) writeJson(stdout, { request: null, stable: view.stableLength, messages: view.messages() });
  else stdout.write(debugPrint(view));
  return EXIT.ok;
}

function printPast(
  { receipt, system, tools, messages, check }: PastRequest,
  { json, withSystem }: { readonly json: boolean; readonly withSystem: boolean },
  { stdout, stderr }: Terminal,
): ExitCode {
  if (json) writeJson(stdout, { request: receipt.n, system, tools: JSON.parse(tools), messages, receipt, check });
  else {
    if (withSystem) stdout.write(`[SYSTEM]\n${system}\n\n[TOOLS]\n${tools}\n\n`);
    stdout.write(debugPrint(messages));
  }
  if (check.same) return EXIT.ok;
  const why = check.rendererChanged ? "the renderer has changed since" : "what is stored is not what was sent";
  stderr.write(
    `${paint(stderr, "red", "cairn:")} request ${receipt.n} differs from block ${check.firstDifference} on: ${why}.\n`,
  );
  return EXIT.failed;
}
