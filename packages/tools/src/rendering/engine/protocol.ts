/**
 * The messages between a document process and its owner, over Node's IPC channel.
 *
 * One job at a time: the owner sends the request; the process reads the content and lists what it names; the owner
 * sends what exists; the process sends the document.
 */
import { z } from "zod";
import { PAGE_SIZES, TARGETS } from "../renderer/document-renderer.ts";
import { THEMES } from "../renderer/theme.ts";

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

const requestSchema = z.object({
  target: z.enum(TARGETS),
  content: z.string(),
  format: z.enum(["markdown", "html"]),
  options: z.object({
    title: z.string().nullable(),
    author: z.string().nullable(),
    date: z.string().nullable(),
    pageSize: z.enum(PAGE_SIZES),
    landscape: z.boolean(),
    theme: z.enum(THEMES),
    toc: z.boolean(),
    pageNumbers: z.boolean(),
    language: z.string(),
    width: z.number(),
  }),
});

const sourceSchema = z.object({ title: z.string(), url: z.string().nullable(), detail: z.string() });

export const toProcess = z.discriminatedUnion("type", [
  z.object({ type: z.literal("job"), request: requestSchema }),
  z.object({
    type: z.literal("supply"),
    images: z.array(z.tuple([z.string(), bytes])),
    sources: z.array(z.tuple([z.number(), sourceSchema])),
  }),
]);
export type ToProcess = z.output<typeof toProcess>;

const documentSchema = z.object({
  bytes,
  pages: z.number(),
  cited: z.array(z.number()).readonly(),
  missingImages: z.array(z.string()).readonly(),
  badImages: z.array(z.object({ src: z.string(), reason: z.string() })).readonly(),
  missingSids: z.array(z.number()).readonly(),
  remarks: z.array(z.string()).readonly(),
});

export const fromProcess = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("needs"), images: z.array(z.string()), sids: z.array(z.number()) }),
  z.object({ type: z.literal("done"), document: documentSchema }),
  z.object({ type: z.literal("failed"), code: z.string(), message: z.string() }),
]);
export type FromProcess = z.output<typeof fromProcess>;
