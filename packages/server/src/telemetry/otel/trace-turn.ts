/** A turn as a span, with its model requests and tool calls as children. */
import type { Model, TurnSignal } from "@cairn/agent";
import type { ConversationKey } from "@cairn/store";
import type { KnownEvent } from "@cairn/timeline";
import { ROOT_CONTEXT, type Span, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import type { TurnTrace } from "cairn-agent/turns";
import type { Instruments } from "./instruments.ts";
import { contextOf } from "./trace-request.ts";
import { namesOfProvider, watchModel } from "./watch-model.ts";

export function traceTurn(
  tracer: Tracer,
  instruments: Instruments,
  { tenant, project, conversation }: ConversationKey,
  agent: string,
  request: string | null,
): TurnTrace {
  const started = performance.now();
  const named = { "gen_ai.agent.name": agent, "gen_ai.conversation.id": conversation };
  // A turn is a trace of its own, because it may run later, in another process, and again after a crash.
  const asked = trace.getSpanContext(contextOf(request ?? undefined));
  const span = tracer.startSpan(
    `invoke_agent ${agent}`,
    {
      links: asked === undefined ? [] : [{ context: asked }],
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        ...named,
        "cairn.tenant": tenant,
        "cairn.project": project,
      },
    },
    ROOT_CONTEXT,
  );
  const inside = trace.setSpan(ROOT_CONTEXT, span);
  const calls = new Map<string, Span>();
  const models = new Map<Model, Model>();

  function watch(model: Model): Model {
    const known = models.get(model) ?? watchModel(model, tracer, inside, instruments, named);
    models.set(model, known);
    span.setAttributes(namesOfProvider(model));
    return known;
  }

  function note(event: KnownEvent): void {
    if (event.kind === "turn.opened") span.setAttribute("cairn.turn.id", event.body.turn_id);
    else if (event.kind === "call.started") {
      const { call_id, tool_id } = event.body;
      const tool = { "gen_ai.tool.name": tool_id, "gen_ai.tool.call.id": call_id, "gen_ai.tool.type": "function" };
      const attributes = { "gen_ai.operation.name": "execute_tool", ...tool };
      calls.set(call_id, tracer.startSpan(`execute_tool ${tool_id}`, { attributes }, inside));
    } else if (event.kind === "call.settled") settle(event.body.call_id, event.body.outcome);
  }

  function settle(callId: string, outcome: string): void {
    const call = calls.get(callId);
    calls.delete(callId);
    call?.setAttribute("cairn.call.outcome", outcome);
    if (outcome !== "ok") call?.setAttribute("error.type", outcome).setStatus({ code: SpanStatusCode.ERROR });
    call?.end();
  }

  return {
    watch,
    hear: (said: TurnSignal) => {
      if (said.type === "waiting") span.addEvent("model.waiting", { "cairn.wait_ms": said.ms });
      else if (said.type === "events") for (const event of said.events) if (!("unknown" in event)) note(event);
    },
    end: (exit, isError) => {
      // The spans of unfinished work are dropped, because another process continues the turn with new spans.
      for (const callId of [...calls.keys()]) settle(callId, "unsettled");
      span.setAttribute("cairn.turn.exit", exit);
      if (isError) span.setAttribute("error.type", exit).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      instruments.turnSeconds.record((performance.now() - started) / 1_000, { "cairn.turn.exit": exit });
    },
  };
}
