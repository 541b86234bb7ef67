/** `@cairn/testkit/cache`: providers' caches by their published rules, and the cost of requests under them. */
export {
  type ConversationPrice,
  priceRequests,
  refuseBody,
  type TimedRequest,
} from "cairn-agent/testing/wire";
