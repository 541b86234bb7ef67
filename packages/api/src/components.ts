/** The schemas that have a name in the OpenAPI document and the API reference. */
import { problemSchema } from "./definition/problem.ts";
import { blockSchema } from "./endpoints/blocks.ts";
import { orderSchema } from "./endpoints/orders.ts";
import { searchHitSchema } from "./endpoints/search.ts";
import { conversationSchema } from "./views/conversation.ts";
import { modelMessageSchema, modelRequestSchema, unseenBlockSchema } from "./views/model-request.ts";
import { sourceSchema } from "./views/source.ts";
import { fileSchema, roundSchema, turnSchema } from "./views/turn.ts";

export const components = {
  Problem: problemSchema,
  Conversation: conversationSchema,
  SearchHit: searchHitSchema,
  Turn: turnSchema,
  File: fileSchema,
  Round: roundSchema,
  Source: sourceSchema,
  StandingOrder: orderSchema,
  Block: blockSchema,
  ModelRequest: modelRequestSchema,
  ModelMessage: modelMessageSchema,
  UnseenBlock: unseenBlockSchema,
} as const;
