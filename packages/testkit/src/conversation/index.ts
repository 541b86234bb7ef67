export { type Batch, conversations, hostileText } from "./generate.ts";
export * as make from "./rounds.ts";
