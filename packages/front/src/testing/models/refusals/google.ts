/** Rules of Google's Gemini API. */
import { isJsonObject, type Json, type JsonObject } from "@cairn/timeline";
import {
  functionsOf,
  type GenerateBody,
  type GoogleContent,
  type GoogleFunction,
  type GooglePart,
} from "../body/google.ts";
import { checkToolSchema, schemasIn } from "../body/tool-schema.ts";
import { isSealed } from "../script/seal.ts";
import { firstOf, type Rule } from "./rule.ts";

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
const MAX_IMAGES = 3_000;
const MAX_PDF_BYTES = 50 * 1_024 * 1_024;
const IMAGES = new Set(["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"]);
const KINDS = ["text", "inlineData", "fileData", "functionCall", "functionResponse"] as const;

/** The part of JSON Schema that Google documents. */
const KEYWORDS = new Set([
  ...["$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum", "items", "prefixItems"],
  ...["minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties", "additionalProperties"],
  ...["required", "propertyOrdering", "default"],
]);
const BESIDE_REFERENCE = new Set(["$ref", "description", "default"]);

const user = (...parts: JsonObject[]): JsonObject => ({ role: "user", parts });
const model = (...parts: JsonObject[]): JsonObject => ({ role: "model", parts });
const talk = (...contents: JsonObject[]): JsonObject => ({ contents });
const hi = user({ text: "hi" });
const call = (name: string): JsonObject => ({ functionCall: { name, args: {} } });
const result = (name: string): JsonObject => ({ functionResponse: { name, response: { output: "seen" } } });
const inline = (mimeType: string, data: string): JsonObject => ({ inlineData: { mimeType, data } });
const withTool = (parametersJsonSchema: Json, name = "look"): JsonObject => ({
  ...talk(hi),
  tools: [{ functionDeclarations: [{ name, description: "", parametersJsonSchema }] }],
});

/** The value that the AI SDK's package sends for a call without a signature. */
const NO_SIGNATURE = "skip_thought_signature_validator";

function isSignature(given: string): boolean {
  return given === NO_SIGNATURE || isSealed(Buffer.from(given, "base64").toString("utf8"));
}

export const GOOGLE: readonly Rule<GenerateBody>[] = [
  {
    rule: "There are contents.",
    about: "roles",
    source: "https://github.com/langchain-ai/langchain-google/issues/1393",
    date: "2025-11-29",
    refuses: ({ contents = [] }) =>
      contents.length === 0 ? "* GenerateContentRequest.contents: contents is not specified\n" : null,
    example: talk(),
  },
  {
    rule: "A content has parts.",
    about: "text",
    source: "https://github.com/vercel/ai/issues/3775",
    date: "2025-03-25",
    refuses: ({ contents = [] }) =>
      firstOf(contents.entries(), ([at, { parts = [] }]) =>
        parts.length === 0
          ? `* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.\n`
          : null,
      ),
    example: talk(user()),
  },
  {
    rule: "A part has one kind of content, and a text is not empty.",
    about: "text",
    source: "https://github.com/router-for-me/CLIProxyAPI/issues/1292",
    date: "2026-01-28",
    refuses: eachPart((part, place) =>
      kindsOf(part).length === 1 && part.text !== ""
        ? null
        : `* GenerateContentRequest.${place}.data: required oneof field 'data' must have one initialized field\n`,
    ),
    example: talk(user({ text: "" })),
  },
  {
    rule: "The name of a function begins with a letter or an underscore and has at most 64 characters.",
    about: "names",
    source: "https://github.com/decolua/9router/issues/369",
    date: "2026-03-20",
    refuses: eachFunction(({ name }, at) =>
      NAME.test(name)
        ? null
        : `The GenerateContentRequest proto is invalid:\n  * tools[0].function_declarations[${at}].name: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.`,
    ),
    example: withTool({ type: "object" }, "21st_magic"),
  },
  {
    rule: "Names of functions are unique.",
    about: "names",
    source: "https://ai.google.dev/gemini-api/docs/function-calling",
    date: "2026-11-15",
    refuses: (body) => {
      const names = functionsOf(body).map(({ name }) => name);
      const twice = names.find((name, at) => names.indexOf(name) !== at);
      return twice === undefined ? null : `Duplicate function declaration found: ${twice}`;
    },
    example: {
      ...talk(hi),
      tools: [{ functionDeclarations: ["look", "look"].map((name) => ({ name, description: "" })) }],
    },
  },
  {
    rule: "A function's schema is a JSON schema of an object.",
    about: "schemas",
    source: "https://github.com/tetsuo-ai/agenc-core/issues/1904",
    date: "2026-08-31",
    refuses: eachFunction(({ parametersJsonSchema: schema }, at) => {
      const problem = schema === undefined ? null : checkToolSchema(schema);
      return problem === null ? null : `${schemaPlace(at, problem.path)}: ${problem.message}`;
    }),
    example: withTool({ type: "array", items: {} }),
  },
  {
    rule: "A function's schema has the keywords Google documents, and no others.",
    about: "schemas",
    source: "https://github.com/googleapis/python-genai/blob/main/google/genai/types.py",
    date: "2026-11-16",
    refuses: eachSchema((schema, place) => {
      const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword));
      return unknown === undefined ? null : `${place}: unsupported keyword '${unknown}'`;
    }),
    example: withTool({ type: "object", properties: { a: { const: "b" } } }),
  },
  {
    rule: "A schema with `$ref` has only a description and a default beside it.",
    about: "schemas",
    source: "https://github.com/anomalyco/opencode/issues/12295",
    date: "2026-02-05",
    refuses: eachSchema((schema) =>
      typeof schema.$ref === "string" && Object.keys(schema).some((keyword) => !BESIDE_REFERENCE.has(keyword))
        ? `$ref '${schema.$ref}' was set alongside unsupported fields. If a schema node has $ref set, then only description and default can be set alongside it`
        : null,
    ),
    example: withTool({
      type: "object",
      $defs: { b: { type: "string" } },
      properties: { a: { $ref: "#/$defs/b", type: "string" } },
    }),
  },
  {
    rule: "A thought signature is sent back as it was.",
    about: "text",
    source: "https://ai.google.dev/gemini-api/docs/thought-signatures",
    date: "2026-11-16",
    refuses: ({ contents = [] }) =>
      firstOf(contents, ({ parts = [] }) =>
        firstOf(parts, ({ thoughtSignature }) =>
          thoughtSignature === undefined || isSignature(thoughtSignature) ? null : "Corrupted thought signature.",
        ),
      ),
    example: talk(hi, model({ ...call("look"), thoughtSignature: "YWx0ZXJlZA==" }), user(result("look"))),
  },
  {
    rule: "Calls come right after the user or after results.",
    about: "pairs",
    source: "https://github.com/google-gemini/gemini-cli/issues/11814",
    date: "2025-10-23",
    refuses: ({ contents = [] }) =>
      firstOf(contents.entries(), ([at, content]) =>
        callsIn(content) > 0 && contents[at - 1]?.role !== "user"
          ? "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
          : null,
      ),
    example: talk(model(call("look")), user(result("look"))),
  },
  {
    rule: "Results come right after calls.",
    about: "pairs",
    source: "https://github.com/lobehub/lobehub/issues/7298",
    date: "2025-04-05",
    refuses: ({ contents = [] }) =>
      firstOf(contents.entries(), ([at, content]) =>
        resultsIn(content) > 0 && callsIn(contents[at - 1]) === 0
          ? "Please ensure that function response turn comes immediately after a function call turn."
          : null,
      ),
    example: talk(user(result("look"))),
  },
  {
    rule: "There are as many results as calls.",
    about: "pairs",
    source: "https://github.com/google-gemini/gemini-cli/issues/16543",
    date: "2026-01-13",
    refuses: ({ contents = [] }) =>
      firstOf(contents.entries(), ([at, content]) =>
        callsIn(content) > 0 && resultsIn(contents[at + 1]) !== callsIn(content)
          ? "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
          : null,
      ),
    example: talk(hi, model(call("look"), call("jump")), user(result("look"))),
  },
  {
    rule: "The last content is the user's.",
    about: "roles",
    source: "https://github.com/crewAIInc/crewAI/pull/6973",
    date: "2026-08-12",
    refuses: ({ contents = [] }) =>
      contents.at(-1)?.role === "model" ? "Please ensure that the conversation ends with a user turn." : null,
    example: talk(hi, model({ text: "hi" })),
  },
  {
    rule: "Files are pictures, PDFs or text.",
    about: "sizes",
    source: "https://docs.cloud.google.com/vertex-ai/docs/generative-ai/image/image-captioning",
    date: "2026-11-16",
    refuses: eachPart(({ inlineData }) =>
      inlineData === undefined || isKnownFile(inlineData.mimeType)
        ? null
        : `Unsupported MIME type: ${inlineData.mimeType}`,
    ),
    example: talk(user(inline("image/svg+xml", "AAAA"))),
  },
  {
    rule: "A PDF has at most 50 MB.",
    about: "sizes",
    source: "https://ai.google.dev/gemini-api/docs/file-input-methods",
    date: "2026-11-16",
    refuses: eachPart(({ inlineData }) =>
      inlineData?.mimeType === "application/pdf" && (inlineData.data.length * 3) / 4 > MAX_PDF_BYTES
        ? "The document exceeds the supported size of 50 MB."
        : null,
    ),
    example: talk(user(inline("application/pdf", "A".repeat(Math.ceil((MAX_PDF_BYTES * 4) / 12) * 4 + 4)))),
  },
  {
    rule: "A request has at most 3,000 pictures.",
    about: "counts",
    source: "https://docs.cloud.google.com/vertex-ai/docs/generative-ai/image/image-captioning",
    date: "2026-11-16",
    refuses: ({ contents = [] }) => {
      const count = contents.flatMap(({ parts = [] }) => parts).filter(isImage).length;
      return count > MAX_IMAGES ? `Too many images in request: ${count} > ${MAX_IMAGES}` : null;
    },
    example: talk(user(...Array.from({ length: MAX_IMAGES + 1 }, () => inline("image/png", "AAAA")))),
  },
];

function eachPart(look: (part: GooglePart, place: string) => string | null) {
  return ({ contents = [] }: GenerateBody) =>
    firstOf(contents.entries(), ([at, { parts = [] }]) =>
      firstOf(parts.entries(), ([nth, part]) => look(part, `contents[${at}].parts[${nth}]`)),
    );
}

function eachFunction(look: (declared: GoogleFunction, at: number) => string | null) {
  return (body: GenerateBody) => firstOf(functionsOf(body).entries(), ([at, declared]) => look(declared, at));
}

function eachSchema(look: (schema: JsonObject, place: string) => string | null) {
  return eachFunction(({ parametersJsonSchema }, at) =>
    firstOf(schemasIn(parametersJsonSchema), ({ schema, path }) => look(schema, schemaPlace(at, path))),
  );
}

function schemaPlace(at: number, path: readonly string[]): string {
  return ["tools[0]", `function_declarations[${at}]`, "parameters_json_schema", ...path].join(".");
}

function kindsOf(part: GooglePart): string[] {
  return KINDS.filter((kind) => part[kind] !== undefined);
}

function callsIn(content: GoogleContent | undefined): number {
  return (content?.parts ?? []).filter(({ functionCall }) => functionCall !== undefined).length;
}

function resultsIn(content: GoogleContent | undefined): number {
  return (content?.parts ?? []).filter(({ functionResponse }) => functionResponse !== undefined).length;
}

function isKnownFile(mime: string): boolean {
  return IMAGES.has(mime) || mime === "application/pdf" || mime.startsWith("text/");
}

function isImage({ inlineData }: GooglePart): boolean {
  return isJsonObject(inlineData) && IMAGES.has(inlineData.mimeType);
}
