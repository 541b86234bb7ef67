/** The OpenAPI document, made from the definitions of the endpoints. */
import { OpenAPIRegistry, OpenApiGeneratorV31, zodToOpenAPIRegistry } from "@asteasolutions/zod-to-openapi";
import { type Answer, components, type Endpoint, problemSchema } from "@cairn/api";
import { z } from "zod";

const NEEDS_INSPECT: Answer = { description: "The token lacks the permission `inspect`.", schema: problemSchema };

export function describeApi(endpoints: readonly Endpoint[], version: string, prefix: string) {
  for (const [refId, schema] of Object.entries(components)) zodToOpenAPIRegistry.add(schema, { _internal: { refId } });
  const registry = new OpenAPIRegistry();
  registry.registerComponent("securitySchemes", "bearer", { type: "http", scheme: "bearer" });
  for (const { method, path, tag, summary, needs, params, query, headers, body, otherBodies, answers } of endpoints) {
    const all: Readonly<Record<number, Answer>> = needs === undefined ? answers : { ...answers, 403: NEEDS_INSPECT };
    const bodies = { ...(body === undefined ? {} : { "application/json": body }), ...otherBodies };
    registry.registerPath({
      method,
      path,
      tags: [tag],
      summary,
      request: {
        ...(params === undefined ? {} : { params }),
        ...(query === undefined ? {} : { query }),
        ...(headers === undefined ? {} : { headers }),
        ...(Object.keys(bodies).length === 0 ? {} : { body: { required: true, content: contentOf(bodies) } }),
      },
      responses: Object.fromEntries(Object.entries(all).map(([status, answer]) => [status, describe(answer)])),
    });
  }
  const info = { title: "Cairn", version, description: "Conversations over HTTP. See docs/server.md." };
  // Without tokens, a server on loopback needs no authentication.
  const servers = prefix === "" ? {} : { servers: [{ url: prefix }] };
  const document = { openapi: "3.1.0", info, ...servers, security: [{ bearer: [] }, {}] };
  return new OpenApiGeneratorV31(registry.definitions).generateDocument(document);
}

function describe({ description, schema, mime }: Answer) {
  if (schema !== undefined) return { description, content: contentOf({ "application/json": schema }) };
  return mime === undefined ? { description } : { description, content: contentOf({ [mime]: z.string() }) };
}

function contentOf(schemas: Readonly<Record<string, z.ZodType>>) {
  return Object.fromEntries(Object.entries(schemas).map(([mime, schema]) => [mime, { schema }]));
}
