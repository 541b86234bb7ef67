/** `@cairn/testkit/conversation`: conversations for property tests, generated and by hand. */
export { type BusyModel, busyConversations, type Move } from "./busy.ts";
export { type Batch, conversations, hostileText } from "./generate.ts";
export * as make from "./rounds.ts";
