import { ORDER_KINDS } from "@cairn/timeline";
import { z } from "zod";
import type { Data } from "../definition/data.ts";
import { defineEndpoint } from "../definition/endpoint.ts";
import { conversationParams, writtenText } from "../definition/fields.ts";
import { okOrProblem } from "../definition/problem.ts";

const tag = "Standing orders";
const path = "/api/conversations/{id}/orders";
const one = `${path}/{order}` as const;
const orderParams = conversationParams.extend({ order: z.string().min(1).max(64) });
const kind = z.enum(ORDER_KINDS);

export const orderSchema = z.object({
  id: z.string(),
  kind,
  text: z.string(),
  /** The path of the message or note with the order; null until the next turn. */
  path: z.string().nullable(),
  by: z.enum(["person", "agent"]),
});
export type ListedOrder = Data<typeof orderSchema>;

const words = z.object({ text: writtenText().trim().min(1).max(600), kind: kind.optional() });
const answers = okOrProblem("The current orders, oldest first.", z.object({ orders: z.array(orderSchema) }));

export const listOrders = defineEndpoint({
  method: "get",
  path,
  tag,
  summary: "Lists the user's standing orders",
  params: conversationParams,
  answers,
});

export const addOrder = defineEndpoint({
  method: "post",
  path,
  tag,
  summary: "Adds an order",
  params: conversationParams,
  body: words,
  answers,
});

export const correctOrder = defineEndpoint({
  method: "patch",
  path: one,
  tag,
  summary: "Corrects an order",
  params: orderParams,
  body: words,
  answers,
});

export const deleteOrder = defineEndpoint({
  method: "delete",
  path: one,
  tag,
  summary: "Deletes an order",
  params: orderParams,
  answers,
});
