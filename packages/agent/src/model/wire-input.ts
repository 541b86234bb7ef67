/** The parts of a request besides its rendered view: adapted tools, the system text and the bytes of files. */
import type { BlobRef, JsonObject, Lowering, WireApi, WireInput, WireRequest } from "@cairn/timeline";
import { type FittingRules, fitTool } from "./fit-tools.ts";
import type { ModelRequest } from "./model.ts";
import type { ToolNameRule } from "./providers/provider.ts";
import { type ToolNames, wireToolNames } from "./tool-name.ts";

interface AdaptedRequest {
  readonly input: WireInput;
  readonly names: ToolNames;
  /** Converters of call parameters by tool name, for tools whose schema was changed. */
  readonly restores: ReadonlyMap<string, (params: string) => string>;
}

interface AdaptOptions extends FittingRules {
  readonly api: WireApi;
  readonly lowering: Lowering;
  /** The length that the model requires of call ids. Absent: any length. */
  readonly callIdLength?: number | undefined;
  /** The id of a model. Earlier reasoning is sent back only if this model produced it. */
  readonly reasoningOf?: string;
  readonly toolNames?: ToolNameRule | undefined;
}

export async function wireInput(request: ModelRequest, options: AdaptOptions): Promise<AdaptedRequest> {
  const { system, inText } = request;
  const names = wireToolNames(
    request.tools.map(({ name }) => name),
    // A past request keeps the names with which it was sent, even if a rule for names has changed.
    request.sentAs === undefined ? options.toolNames : undefined,
    options.toolNames,
  );
  const fitted = new Map(
    request.sentAs === undefined ? request.tools.map((tool) => [tool.name, fitTool(tool, options)]) : [],
  );
  const bytes = await readBlobs(request);
  const input: WireInput = {
    tools: (inText === undefined ? request.tools : []).map((tool) => ({
      ...tool,
      name: names.toWire(tool.name),
      schema: fitted.get(tool.name)?.schema ?? tool.schema,
    })),
    system: inText === undefined ? system : `${system}\n\n${inText.text}`,
    strategy: request.strategy,
    ttl: request.ttl,
    cacheKey: request.cacheKey,
    api: options.api,
    lowering: options.lowering,
    toolName: names.toWire,
    ...(options.reasoningOf === undefined ? {} : { reasoningOf: options.reasoningOf }),
    ...(options.callIdLength === undefined ? {} : { callIdLength: options.callIdLength }),
    ...(request.describes === undefined ? {} : { describes: request.describes }),
    bytesOf: (ref) => bytes.get(ref),
  };
  const restores = new Map(
    [...fitted].flatMap(([name, { restore }]) => (restore === null ? [] : [[name, restore] as const])),
  );
  return { input, names, restores };
}

/**
 * Asks Anthropic to stream a call's parameters while they are written, so that a file can be shown as it grows. The
 * option is part of each tool and thus of the cached prefix, so it is set here and not left to a package's default.
 */
export function withEagerTools(wire: WireRequest): WireRequest {
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
