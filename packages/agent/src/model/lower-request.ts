/**
 * A request in the wire form of its provider, bytes filled in and tools named as providers allow.
 *
 * The one place where a request becomes what is sent: the adapter spells exactly these blocks and breakpoints, receipts
 * are kept of them, and a past request is spelled again from the same.
 */
import {
  type BlobRef,
  type JsonObject,
  type Lowering,
  lowerView,
  type ProviderId,
  type WireRequest,
} from "@cairn/timeline";
import { wrapSchema } from "./fit-schema.ts";
import type { ModelRequest } from "./model.ts";
import type { ToolNameRule } from "./providers/provider.ts";
import { type ToolNames, wireToolNames } from "./tool-name.ts";

export interface LoweredRequest {
  readonly wire: WireRequest;
  readonly names: ToolNames;
  /** Names of the tools whose schemas were wrapped. */
  readonly wrapped: ReadonlySet<string>;
}

export interface LowerOptions {
  readonly provider: ProviderId;
  /** OpenAI: which of its two APIs. */
  readonly api: "responses" | "chat";
  readonly lowering: Lowering;
  readonly toolNames?: ToolNameRule | undefined;
  readonly refusedAtRoot?: readonly string[] | undefined;
}

export async function lowerRequest(request: ModelRequest, options: LowerOptions): Promise<LoweredRequest> {
  const { provider, api, lowering } = options;
  const names = wireToolNames(
    request.tools.map(({ name }) => name),
    // What was sent once is legal, whatever the rule says now.
    request.sentAs === undefined ? options.toolNames : undefined,
  );
  const schemas =
    request.sentAs === undefined ? wrapSchemas(request.tools, options.refusedAtRoot) : new Map<string, JsonObject>();
  const bytes = await readBlobs(request);
  const wire = lowerView(
    request.view,
    {
      tools: request.tools.map((tool) => ({
        ...tool,
        name: names.toWire(tool.name),
        schema: schemas.get(tool.name) ?? tool.schema,
      })),
      system: request.system,
      strategy: request.strategy,
      ttl: request.ttl,
      cacheKey: request.cacheKey,
      api,
      lowering,
      ...(request.describes === undefined ? {} : { describes: request.describes }),
      bytesOf: (ref) => bytes.get(ref),
    },
    provider,
  );
  return { wire: provider === "anthropic" ? withEagerTools(wire) : wire, names, wrapped: new Set(schemas.keys()) };
}

/** The schemas that had to be wrapped, by the names of their tools. */
function wrapSchemas(tools: ModelRequest["tools"], refused: readonly string[] = []): ReadonlyMap<string, JsonObject> {
  const wrapped = tools.map(({ name, schema }) => [name, wrapSchema(schema, refused)] as const);
  return new Map(wrapped.filter((entry): entry is [string, JsonObject] => entry[1] !== null));
}

/**
 * Anthropic is asked to send a call's parameters while they are written, so that a file can be watched as it grows.
 * Part of each tool, and so of the cached prefix: it is said here and never left to a package's default.
 */
function withEagerTools(wire: WireRequest): WireRequest {
  const eager = (tool: JsonObject) => ({ ...tool, eager_input_streaming: true });
  const { tools } = wire.body;
  return {
    ...wire,
    body: Array.isArray(tools) ? { ...wire.body, tools: (tools as JsonObject[]).map(eager) } : wire.body,
    blocks: wire.blocks.map((block) => (block.kind === "tools" ? { ...block, content: eager(block.content) } : block)),
  };
}

async function readBlobs({ view, readBlob, describes = [] }: ModelRequest): Promise<ReadonlyMap<BlobRef, string>> {
  const refs = new Set<BlobRef>();
  for (const message of view)
    if (
      message.type !== "text" &&
      !describes.includes(message.type) &&
      message.data === undefined &&
      message.blob !== undefined
    )
      refs.add(message.blob);
  const read = async (ref: BlobRef) => [ref, await readBlob(ref)] as const;
  return new Map(await Promise.all([...refs].map(read)));
}
