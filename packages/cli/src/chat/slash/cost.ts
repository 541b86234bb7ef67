/** `/cost`: the requests of the conversation by model, with tokens and cost, and what the user has spent today. */
import { recordedRequests } from "@cairn/agent";
import { describeRequest } from "cairn-agent/turns";
import { scopeOf } from "../../command/open-data.ts";
import { formatDollars } from "../screen/status-line.ts";
import type { SlashCommand } from "./slash-command.ts";

interface Sum {
  requests: number;
  input: number;
  cached: number;
  output: number;
  dollars: number;
  isPriced: boolean;
}

const DAY_MS = 86_400_000;

export const cost: SlashCommand = {
  about: "show tokens and cost of this conversation, by model",
  run: async ({ chat, store, output, terminal }) => {
    const sums = new Map<string, Sum>();
    if (chat.conversation.exists)
      for await (const request of recordedRequests(store, chat.key)) {
        const { model, usage, cost: dollars, is_priced, is_billed } = describeRequest(request);
        const name = model ?? "unknown model";
        const sum = sums.get(name) ?? { requests: 0, input: 0, cached: 0, output: 0, dollars: 0, isPriced: true };
        sums.set(name, sum);
        sum.requests++;
        sum.input += usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
        sum.cached += usage.cache_read_tokens;
        sum.output += usage.output_tokens;
        sum.dollars += dollars;
        sum.isPriced &&= is_priced || !is_billed;
      }
    const rows = [...sums].map(
      ([model, { requests, input, cached, output: written, dollars, isPriced }]) =>
        `| ${model} | ${requests} | ${input} | ${cached} | ${written} | ${isPriced ? formatDollars(dollars) : "unknown"} |`,
    );
    if (rows.length === 0) output.line("dim", "No requests yet.");
    else
      output.answer(
        [
          "| model | requests | input tokens | of these cached | output tokens | cost |",
          "|---|--:|--:|--:|--:|--:|",
          ...rows,
        ].join("\n"),
      );
    const { tokens, dollars } = await store.spending(scopeOf(terminal), { since: Date.now() - DAY_MS });
    output.line("dim", `All conversations in the last 24 hours: ${tokens} tokens, ${formatDollars(dollars)}.`);
  },
};
