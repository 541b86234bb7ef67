/** `@cairn/testkit/cache`: providers' caches as their published rules describe them, and what requests cost under them. */
export { CacheSimulator, type RequestCost } from "./cache-simulator.ts";
export { type ConversationPrice, priceRequests } from "./price-requests.ts";
export { refuseBody, refuseInvalid } from "./refuse.ts";
export type { TimedRequest } from "./timed-request.ts";
