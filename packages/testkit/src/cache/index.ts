/** `@cairn/testkit/cache`: providers' caches by their published rules, and the cost of requests under them. */
export {
  CacheSimulator,
  type ConversationPrice,
  priceRequests,
  type RequestCost,
  refuseBody,
  refuseInvalid,
  type TimedRequest,
} from "cairn-agent/testing/wire";
