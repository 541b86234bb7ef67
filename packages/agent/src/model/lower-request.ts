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
import { type FittingRules, fitTool } from "./fit-tools.ts";
import type { ModelRequest } from "./model.ts";
import type { ToolNameRule } from "./providers/provider.ts";
import { type ToolNames, wireToolNames } from "./tool-name.ts";

export interface LoweredRequest {
  readonly wire: WireRequest;
  readonly names: ToolNames;
  /** How the parameters of calls come back as the tools know them, by name, where they do not come like that. */
  readonly restores: ReadonlyMap<string, (params: string) => string>;
}

export interface LowerOptions extends FittingRules {
  readonly provider: ProviderId;
  /** OpenAI: which of its two APIs. */
  readonly api: "responses" | "chat";
  readonly lowering: Lowering;
  readonly toolNames?: ToolNameRule | undefined;
}

export async function lowerRequest(request: ModelRequest, options: LowerOptions): Promise<LoweredRequest> {
  const { provider, api, lowering } = options;
  const names = wireToolNames(
    request.tools.map(({ name }) => name),
    // What was sent once is legal, whatever the rule says now.
    request.sentAs === undefined ? options.toolNames : undefined,
  );
  const fitted = new Map(
    request.sentAs === undefined ? request.tools.map((tool) => [tool.name, fitTool(tool, options)]) : [],
  );
  const bytes = await readBlobs(request);
  const wire = lowerView(
    request.view,
    {
      tools: request.tools.map((tool) => ({
        ...tool,
        name: names.toWire(tool.name),
        schema: fitted.get(tool.name)?.schema ?? tool.schema,
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
  const restores = new Map(
    [...fitted].flatMap(([name, { restore }]) => (restore === null ? [] : [[name, restore] as const])),
  );
  return { wire: provider === "anthropic" ? withEagerTools(wire) : wire, names, restores };
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
