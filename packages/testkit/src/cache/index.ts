/** `@cairn/testkit/cache`: providers' caches by their published rules, and the cost of requests under them. */
export { CacheSimulator, type RequestCost } from "./cache-simulator.ts";
export { type ConversationPrice, priceRequests } from "./price-requests.ts";
export { refuseBody, refuseInvalid } from "./refuse.ts";
export type { TimedRequest } from "./timed-request.ts";
