/** A conversation of many turns with tools, as events. */
import { makeEvent, type TimelineEvent } from "@cairn/timeline";

/** A turn has ten blocks. */
export function longConversation(turns: number): TimelineEvent[] {
  const events: TimelineEvent[] = [];
  let position = 0;
  const started = Date.parse("2026-02-09T10:00:00Z");
  for (let n = 1; n <= turns; n++) {
    const turn_id = `turn_${n}`;
    const ts = new Date(started + n * 60_000).toISOString();
    const add = (type: string, path: string, text: string) => {
      const meta = path.startsWith("tc:") ? { tool_call_id: path.split(".")[1] ?? "", iteration: 1 } : {};
      events.push(
        makeEvent("block.appended", {
          position: position++,
          tokens: 10,
          version: 1,
          block: { type, turn_id, ts, path, text, meta },
        }),
      );
    };
    events.push(makeEvent("turn.opened", { turn_id, ts }));
    add("turn.header", `ar:${turn_id}.turn.header`, "");
    add(
      "user.prompt",
      `ar:${turn_id}.user.prompt`,
      `Question number ${n}. What does the ${n}th cairn need before the winter?`,
    );
    for (let call = 1; call <= 3; call++) {
      const id = `tc_${n}_${call}`;
      const params = JSON.stringify({
        tool_id: "react.read",
        tool_call_id: id,
        params: { paths: [`fi:${turn_id}.files/${call}.md`] },
        ts,
      });
      add("react.tool.call", `tc:${turn_id}.${id}.call`, params);
      events.push(makeEvent("call.started", { turn_id, call_id: id, tool_id: "react.read", ts }));
      add("react.tool.result", `tc:${turn_id}.${id}.result`, `The text of part ${call}. `.repeat(20));
      events.push(makeEvent("call.settled", { call_id: id, outcome: "ok", ts }));
    }
    const list = Array.from(
      { length: 4 },
      (_, index) => `- **Point ${index + 1}** of answer ${n}, with \`code\` and [a link](https://example.com/${n})`,
    );
    add(
      "assistant.completion",
      `ar:${turn_id}.assistant.completion`,
      `Answer number ${n}. ${"A sentence of the answer that has some length. ".repeat(6)}\n\n${list.join("\n")}\n\n| a | b |\n|--:|--:|\n| ${n} | ${n * 2} |`,
    );
    add("stage.suggested_followups", `ar:${turn_id}.stage.suggested_followups`, JSON.stringify(["And the next one?"]));
    events.push(makeEvent("turn.closed", { turn_id, ts, exit: "complete" }));
  }
  return events;
}
