/** Describes requests in words for users who do not see the chart. */
import type { ModelRequest } from "@cairn/api";
import { formatShare, plural } from "../../text/format-count.ts";
import { breakOf, inputOf, readShare } from "./cache-break.ts";

const MAX_TOLD = 12;

export function describeRequests(requests: readonly ModelRequest[]): string {
  const input = requests.reduce((sum, request) => sum + inputOf(request), 0);
  const read = requests.reduce((sum, { usage }) => sum + usage.cache_read_tokens, 0);
  const breaks = requests.flatMap((request) => {
    const found = breakOf(request);
    return found === null ? [] : [`request ${request.n}: ${found.title}`];
  });
  const share = input === 0 ? "" : ` ${formatShare(read / input)} of the input was read from the cache.`;
  const told = breaks.slice(0, MAX_TOLD).join("; ");
  const more = breaks.length > MAX_TOLD ? `; and ${breaks.length - MAX_TOLD} more` : "";
  const broke =
    breaks.length === 0
      ? " The cache never broke."
      : ` The cache broke ${plural(breaks.length, "time")}: ${told}${more}.`;
  return `${plural(requests.length, "request")} over time.${share}${broke}`;
}

export function describeRequest(request: ModelRequest): string {
  const share = readShare(request);
  const parts = [
    `Request ${request.n}`,
    request.purpose === "summary" ? "for a summary" : "",
    request.purpose === "continuation" ? "for the rest of an answer" : "",
    request.is_billed ? `${plural(inputOf(request), "token")} in` : "cost unknown",
    share === null ? "" : `${formatShare(share)} read from the cache`,
    breakOf(request)?.title ?? "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}
