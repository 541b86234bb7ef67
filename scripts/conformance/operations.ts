/**
 * The operations of the conformance driver. Each operation checks its input, calls one public function of the timeline
 * package and shapes the answer; none has any logic of its own.
 */
import {
  acknowledgePlan,
  applyPatch,
  CairnError,
  type CitationFormat,
  createCitationStream,
  createPool,
  estimateBlock,
  execReport,
  extractCitations,
  isEligible,
  type JsonObject,
  mergeSources,
  parseBlock,
  parsePlan,
  renderSources,
  replaceCitations,
  resolvePath,
  rewritePath,
  selectSources,
  unwrapEnvelope,
} from "@cairn/timeline";
import { z } from "zod";
import { type Operation, operation } from "./operation.ts";
import { TIMELINE_OPERATIONS } from "./timeline-operations.ts";
import { countTokens } from "./tokens.ts";

const text = z.string();
const rows = z.custom<readonly JsonObject[]>(Array.isArray, "a list of rows");
const pool = rows.transform(createPool);
const format = z.enum(["markdown", "html", "json", "yaml"] satisfies readonly CitationFormat[]);

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  "path.resolve": operation(z.object({ path: text }), ({ path }) => resolvePath(path)),
  "path.rewrite": operation(z.object({ path: text, current_turn: text }), ({ path, current_turn }) =>
    rewritePath(path, current_turn),
  ),
  "sources.eligible": operation(
    z.object({ source_type: text.nullish(), mime: text.nullish() }),
    ({ source_type, mime }) => ({ eligible: isEligible({ source_type, mime }) }),
  ),
  "sources.merge": operation(z.object({ pool: rows, rows }), (input) => {
    const { pool: merged, sids } = mergeSources(input.pool, input.rows);
    return { pool: merged, sids };
  }),
  "sources.select": operation(z.object({ pool, selector: text }), ({ pool, selector }) =>
    selectSources(pool, selector),
  ),
  "sources.render": operation(z.object({ pool }), async ({ pool }) => ({
    text: renderSources(pool, { countTokens: await countTokens() }),
  })),
  "citations.extract": operation(z.object({ text, format }), ({ text, format }) => ({
    sids: extractCitations(text, format),
  })),
  "citations.replace": operation(z.object({ text, pool, format }), ({ text, pool, format }) => ({
    text: replaceCitations(text, (sid) => pool.get(sid), format),
  })),
  "citations.stream": operation(z.object({ chunks: z.array(text), pool, format }), ({ chunks, pool, format }) => {
    const stream = createCitationStream((sid) => pool.get(sid), format);
    return { chunks: [...chunks.map((chunk) => stream.push(chunk)), stream.flush()] };
  }),
  "plan.ack": operation(z.object({ plan: z.looseObject({}), notes: text }), ({ plan, notes }) => {
    const snapshot = parsePlan(plan);
    if (snapshot === null) throw new CairnError("bad_request", "`plan` needs a `plan_id` and a list of `steps`.");
    return acknowledgePlan(snapshot, notes);
  }),
  "patch.apply": operation(z.object({ text, patch: text }), ({ text, patch }) => ({ text: applyPatch(text, patch) })),
  "tokens.estimate": operation(z.object({ block: z.looseObject({}) }), async ({ block }) => ({
    tokens: estimateBlock(parseBlock(block), await countTokens()),
  })),
  "envelope.unwrap": operation(z.object({ value: z.unknown(), builtin: z.boolean() }), ({ value, builtin }) =>
    unwrapEnvelope(value, builtin),
  ),
  "exec.report": operation(z.looseObject({}), (input) => ({ text: execReport(input) })),
  ...TIMELINE_OPERATIONS,
};
