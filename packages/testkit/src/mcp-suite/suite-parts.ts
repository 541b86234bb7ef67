/**
 * The tools, resources and prompts that the server scenarios of the suite call, as an application adds them to the
 * product's MCP server. Their names and contents are those that the suite expects.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { RequestStates } from "@cairn/server/handler";
import {
  type CallToolResult,
  completable,
  type ElicitRequestFormParams,
  fromJsonSchema,
  type InputRequest,
  inputRequired,
  inputResponse,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";
const STEP_MS = 50;

type Form = ElicitRequestFormParams["requestedSchema"];
type Fields = Form["properties"];

const text = (words: string): CallToolResult => ({ content: [{ type: "text", text: words }] });
const image = { type: "image" as const, data: PIXEL, mimeType: "image/png" };
const form = (properties: Fields, required: string[] = []): Form => ({ type: "object", properties, required });
const askText = (message: string, field: string) =>
  inputRequired.elicit({ message, requestedSchema: form({ [field]: { type: "string" } }, [field]) });
const sample = (question: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: question } }],
    maxTokens,
  });

export function addSuiteParts(server: McpServer, states: RequestStates): void {
  server.server.registerCapabilities({
    logging: {},
    resources: { subscribe: true, listChanged: false },
    prompts: { listChanged: false },
  });
  addContents(server);
  addConversations(server);
  addInputs(server, states);
  addResources(server);
  addPrompts(server);
}

function addContents(server: McpServer): void {
  const resource = (uri: string, mimeType: string, words: string) => ({
    type: "resource" as const,
    resource: { uri, mimeType, text: words },
  });
  const results: Readonly<Record<string, CallToolResult>> = {
    test_simple_text: text("This is a simple text response for testing."),
    test_image_content: { content: [image] },
    test_audio_content: { content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] },
    test_embedded_resource: {
      content: [resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
    },
    test_multiple_content_types: {
      content: [
        { type: "text", text: "Multiple content types test:" },
        image,
        resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ],
    },
    test_logging_tool: text("Nothing is logged."),
    test_streaming_elicitation: text("Nothing is asked."),
  };
  for (const [name, result] of Object.entries(results))
    server.registerTool(name, { description: "Returns a fixed result." }, () => result);
  server.registerTool("test_error_handling", { description: "Fails." }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  server.registerTool("test_missing_capability", { description: "Needs sampling." }, () =>
    inputRequired({ inputRequests: { sampled: sample("Say hello", 50) } }),
  );
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // biome-ignore lint/suspicious/noThenProperty: A keyword of JSON Schema.
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  };
  const inputSchema = fromJsonSchema(schema as Parameters<typeof fromJsonSchema>[0]);
  server.registerTool("json_schema_2020_12_tool", { description: "Has a rich schema.", inputSchema }, () =>
    text("Ok."),
  );
  const headed = fromJsonSchema({
    type: "object",
    properties: { region: { type: "string", "x-mcp-header": "Region" }, query: { type: "string" } },
  } as Parameters<typeof fromJsonSchema>[0]);
  server.registerTool("test_custom_header", { description: "Has a header.", inputSchema: headed }, () => text("Ok."));
}

/** Tools that talk to the client while they run, in the revisions before 2026-07-28. */
function addConversations(server: McpServer): void {
  server.registerTool("test_tool_with_logging", { description: "Logs." }, async (context: ServerContext) => {
    for (const words of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await context.mcpReq.log("info", words);
      await wait(STEP_MS);
    }
    return text("Logged.");
  });
  server.registerTool("test_tool_with_progress", { description: "Reports." }, async ({ mcpReq }: ServerContext) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const params = { progress, total: 100 };
      if (progressToken !== undefined)
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...params } });
      await wait(STEP_MS);
    }
    return text("Reported.");
  });
  const prompt = z.object({ prompt: z.string() });
  server.registerTool("test_sampling", { description: "Samples.", inputSchema: prompt }, (given, { mcpReq }) => {
    const { inputResponses } = mcpReq;
    return inputResponse(inputResponses, "sampled").kind === "missing"
      ? inputRequired({ inputRequests: { sampled: sample(given.prompt, 100) } })
      : text(`LLM response: ${JSON.stringify(inputResponses)}`);
  });
  const elicit = (
    { inputResponses }: ServerContext["mcpReq"],
    message: string,
    requestedSchema: Form,
    before: string,
  ) => {
    const given = inputResponse(inputResponses, "asked");
    if (given.kind !== "elicit")
      return inputRequired({ inputRequests: { asked: inputRequired.elicit({ message, requestedSchema }) } });
    return text(`${before}: action=${given.action}, content=${JSON.stringify(given.content)}`);
  };
  const message = z.object({ message: z.string() });
  const person = form({ username: { type: "string" }, email: { type: "string" } }, ["username", "email"]);
  server.registerTool("test_elicitation", { description: "Asks.", inputSchema: message }, (given, { mcpReq }) =>
    elicit(mcpReq, given.message, person, "User response"),
  );
  const defaults = form({
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  });
  const choices = ["option1", "option2", "option3"];
  const titled = [1, 2, 3].map((n) => ({ const: `value${n}`, title: `Option ${n}` }));
  const enums = form({
    untitledSingle: { type: "string", enum: choices },
    titledSingle: { type: "string", oneOf: titled },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: choices } },
    titledMulti: { type: "array", items: { anyOf: titled } },
  } as Fields);
  for (const [name, fields] of [
    ["test_elicitation_sep1034_defaults", defaults],
    ["test_elicitation_sep1330_enums", enums],
  ] as const)
    server.registerTool(name, { description: "Asks." }, ({ mcpReq }: ServerContext) =>
      elicit(mcpReq, "Please answer.", fields, "Elicitation completed"),
    );
}

/** Tools that return `input_required`, in 2026-07-28. */
function addInputs(server: McpServer, states: RequestStates): void {
  type Asked = Readonly<Record<string, InputRequest>>;
  const asking = (name: string, asked: Asked, state: string | null, done: (context: ServerContext) => string) => {
    server.registerTool(name, { description: "Asks." }, async (context: ServerContext) => {
      const { inputResponses } = context.mcpReq;
      const required = state === null ? {} : { requestState: await states.seal(state, context) };
      const isAnswered = Object.keys(asked).every((key) => inputResponse(inputResponses, key).kind !== "missing");
      return isAnswered ? text(done(context)) : inputRequired({ inputRequests: { ...asked }, ...required });
    });
  };
  const said = ({ mcpReq }: ServerContext) => JSON.stringify(mcpReq.inputResponses);
  const name = askText("What is your name?", "name");
  const confirm = inputRequired.elicit({
    message: "Please confirm",
    requestedSchema: form({ ok: { type: "boolean" } }, ["ok"]),
  });
  const roots = { client_roots: inputRequired.listRoots() };
  asking("test_input_required_result_elicitation", { user_name: name }, null, (context) => `Hello, ${said(context)}!`);
  asking(
    "test_input_required_result_sampling",
    { capital_question: sample("What is the capital of France?", 100) },
    null,
    said,
  );
  asking("test_input_required_result_list_roots", roots, null, said);
  asking("test_input_required_result_request_state", { confirm }, "one", () => "state-ok");
  const several = { user_name: name, greeting: sample("Generate a greeting", 50), ...roots };
  asking("test_input_required_result_multiple_inputs", several, "several", said);
  asking("test_input_required_result_tampered_state", { confirm }, "sealed", () => "state-ok");
  server.registerTool(
    "test_input_required_result_multi_round",
    { description: "Asks twice." },
    async (context: ServerContext) => {
      const { inputResponses } = context.mcpReq;
      const isGiven = (key: string) => inputResponse(inputResponses, key).kind !== "missing";
      if (isGiven("step2")) return text("Done.");
      return isGiven("step1")
        ? inputRequired({
            inputRequests: { step2: askText("Step 2: What is your favorite color?", "color") },
            requestState: await states.seal("two", context),
          })
        : inputRequired({
            inputRequests: { step1: askText("Step 1: What is your name?", "name") },
            requestState: await states.seal("one", context),
          });
    },
  );
  server.registerTool("test_input_required_result_capabilities", { description: "Asks." }, () => {
    const { sampling, elicitation } = server.server.getClientCapabilities() ?? {};
    const inputRequests = {
      ...(sampling === undefined ? {} : { sampled: sample("Say hello", 50) }),
      ...(elicitation === undefined ? {} : { asked: name }),
    };
    return Object.keys(inputRequests).length === 0 ? text("Nothing to ask.") : inputRequired({ inputRequests });
  });
}

function addResources(server: McpServer): void {
  const at = (uri: string, mimeType: string, content: { text: string } | { blob: string }) => ({
    contents: [{ uri, mimeType, ...content }],
  });
  const known = { description: "A resource of the suite." };
  server.registerResource("text", "test://static-text", { ...known, mimeType: "text/plain" }, ({ href }) =>
    at(href, "text/plain", { text: "This is the content of the static text resource." }),
  );
  server.registerResource("binary", "test://static-binary", { ...known, mimeType: "image/png" }, ({ href }) =>
    at(href, "image/png", { blob: PIXEL }),
  );
  server.registerResource("watched", "test://watched-resource", { ...known, mimeType: "text/plain" }, ({ href }) =>
    at(href, "text/plain", { text: "Watched." }),
  );
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, known, ({ href }, { id }) =>
    at(href, "application/json", { text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }),
  );
  // Nothing ever changes, so subscribers are never notified.
  for (const method of ["resources/subscribe", "resources/unsubscribe"] as const)
    server.server.setRequestHandler(method, () => ({}));
}

function addPrompts(server: McpServer): void {
  const say = (...contents: object[]) => ({
    messages: contents.map((content) => ({ role: "user" as const, content: content as typeof image })),
  });
  const words = (content: string) => ({ type: "text", text: content });
  const known = { description: "A prompt of the suite." };
  server.registerPrompt("test_simple_prompt", known, () => say(words("This is a simple prompt for testing.")));
  const argsSchema = z.object({ arg1: completable(z.string(), () => ["paris", "park", "party"]), arg2: z.string() });
  server.registerPrompt("test_prompt_with_arguments", { ...known, argsSchema }, ({ arg1, arg2 }) =>
    say(words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  const uriSchema = z.object({ resourceUri: z.string() });
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { ...known, argsSchema: uriSchema },
    ({ resourceUri }) => {
      const resource = { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." };
      return say({ type: "resource", resource }, words("Please process the embedded resource above."));
    },
  );
  server.registerPrompt("test_prompt_with_image", known, () => say(image, words("Please analyze the image above.")));
  server.registerPrompt("test_input_required_result_prompt", known, (context: ServerContext) =>
    inputResponse(context.mcpReq.inputResponses, "user_context").kind === "missing"
      ? inputRequired({ inputRequests: { user_context: askText("What context should the prompt use?", "context") } })
      : say(words(JSON.stringify(context.mcpReq.inputResponses))),
  );
}
