/** Runs the next turn of a conversation with all its dependencies, and notifies followers. */
import { type AgentDefinition, openStoreWorkspace, runTurn, type TurnSignal, thisMachine } from "@cairn/agent";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { CairnError, type CountTokens, type TurnChoice } from "@cairn/timeline";
import { workspaceFolder } from "../data/local-data.ts";
import type { LiveHub } from "../live/live-hub.ts";
import type { RunConversation } from "../queue/turn-queue.ts";
import type { Log } from "../telemetry/log.ts";
import type { TurnMeters, TurnTrace, TurnTracing } from "../telemetry/turn-meters.ts";
import type { Agents } from "./agents.ts";
import { chooseAgent } from "./choose-agent.ts";
import { adoptEarlierTitle } from "./give-title.ts";
import { traceOfMessage } from "./trace-of-message.ts";

export interface RunnerParts {
  readonly store: ConversationStore;
  readonly agents: Agents;
  readonly live: LiveHub;
  readonly dataDir: string;
  /** Loads the tokenizer when the first turn needs it. */
  readonly loadTokenizer: () => Promise<CountTokens>;
  readonly telemetry: TurnMeters;
  /** Writes OpenTelemetry traces; null when tracing is off. */
  readonly tracing: TurnTracing | null;
  readonly log: Log;
}

/** Duration of a lease. Until the lease of a process that died expires, no other process can continue the turn. */
const LEASE_MS = 6_000;

export function createRunner(parts: RunnerParts): RunConversation {
  const { store, live, dataDir, loadTokenizer, telemetry, tracing, log } = parts;
  const machine = thisMachine();
  return async (key, signal) => {
    using running = live.run(key);
    await adoptEarlierTitle({ store, now: machine.now }, key);
    const workspace = await openStoreWorkspace(store, key, workspaceFolder(dataDir, key));
    const started = machine.now();
    let trace = null as TurnTrace | null;
    const listener = (said: TurnSignal) => {
      count(said, telemetry);
      if (said.type === "progress" && said.error !== undefined) log.error(said.text, said.error, place(key));
      trace?.hear(said);
      running.hear(said);
    };
    const agent = async (turnId: string, asked: TurnChoice): Promise<AgentDefinition> => {
      const chosen = await chooseAgent(parts, key, turnId, asked).catch((error: unknown) => {
        const reason = CairnError.is(error) ? error.message : "The agent could not be prepared.";
        running.hear({ type: "waiting", reason, ms: 0 });
        throw error;
      });
      // The trace belongs to a message that was withdrawn before its turn began.
      trace?.end("withdrawn", false);
      trace = tracing?.turn(key, chosen.name, await traceOfMessage(store, key, turnId)) ?? null;
      return trace === null ? chosen : watchAgent(chosen, trace);
    };
    const outcome = await runTurn({
      agent,
      store,
      key,
      workspace,
      countTokens: await loadTokenizer(),
      listener,
      signal,
      ...machine,
      leaseMs: LEASE_MS,
      // The app renders citations itself, with quotations. AI SDK clients receive citations as links.
      citations: "tokens",
    }).catch((error: unknown) => {
      // Another process on the same store may have this agent.
      if (CairnError.is(error) && error.code === "bad_agent") return null;
      trace?.end(CairnError.is(error) ? error.code : "internal", true);
      throw error;
    });
    if (outcome === null) {
      log.info("The agent of a conversation is not defined in this process.", place(key));
      return "idle";
    }
    const exit = outcome.status === "ended" ? outcome.end.exit : outcome.status;
    trace?.end(exit, exit === "error");
    if (outcome.status !== "ended") return outcome.status;
    const ms = machine.now() - started;
    telemetry.turnDone(ms / 1000, { exit: outcome.end.exit });
    log.info("turn", { ...place(key), turn: outcome.turnId, exit: outcome.end.exit, ms });
    return "ended";
  };
}

function watchAgent(agent: AgentDefinition, trace: TurnTrace): AgentDefinition {
  const gate = agent.gate === undefined ? {} : { gate: { model: trace.watch(agent.gate.model) } };
  const fallback = agent.fallback === undefined ? {} : { fallback: agent.fallback.map(trace.watch) };
  return { ...agent, model: trace.watch(agent.model), ...fallback, ...gate };
}

function place({ tenant, project, user, conversation }: ConversationKey) {
  return { tenant, project, user, conversation };
}

function count(said: TurnSignal, telemetry: TurnMeters): void {
  if (said.type !== "events") return;
  for (const event of said.events) {
    if ("unknown" in event || event.kind !== "model.receipt") continue;
    const { usage, cost } = event.body;
    telemetry.dollarsSpent(cost ?? 0);
    if (usage === undefined) continue;
    telemetry.tokensUsed({ kind: "input" }, usage.input_tokens);
    telemetry.tokensUsed({ kind: "cache_read" }, usage.cache_read_tokens);
    telemetry.tokensUsed({ kind: "cache_write" }, usage.cache_write_tokens);
    telemetry.tokensUsed({ kind: "output" }, usage.output_tokens);
  }
}
