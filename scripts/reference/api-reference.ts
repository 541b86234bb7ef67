/** The API reference as Markdown, from the OpenAPI document that the server makes of its own schemas. */
import { usualProblems } from "@cairn/api";

type Node = Readonly<Record<string, ReturnType<typeof JSON.parse>>>;

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Node;
}

const INTRODUCTION = `# API reference

Every endpoint of the server, with its parameters and bodies. \`npm run docs\` generates this page from the schemas with which the server validates requests. \`GET /openapi.json\` returns the same as an OpenAPI document. [The server](server.md) explains how to run the server and describes the event stream.

Bodies are JSON. If the server has tokens (\`CAIRN_TOKENS\`) or an issuer of signed tokens (\`CAIRN_OIDC_ISSUER\`), every request needs \`Authorization: Bearer <token>\`, except for \`/healthz\`, \`/readyz\`, \`/openapi.json\` and the web app's files. The body of an error is \`{error: {code, message, details?}}\`; [errors](errors.md) lists the codes. Every endpoint may return 400 for an invalid request, 401 for a missing or unknown token, 404 for anything outside the caller's scope, 429 when a user or tenant has reached a limit, and 507 when there is no space for a write ([fair shares](server.md#fair-shares)).
`;

export function writeApiReference(document: Node): string {
  const endpoints = Object.entries<Node>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Node>(methods).map(
      ([method, operation]): Endpoint => ({ method: method.toUpperCase(), path, operation }),
    ),
  );
  const tags = [...new Set(endpoints.map(({ operation }) => String(operation.tags?.[0])))];
  const sections = tags.map((tag) => {
    const own = endpoints.filter(({ operation }) => operation.tags?.[0] === tag);
    return `## ${tag}\n\n${own.map(writeEndpoint).join("\n")}`;
  });
  const types = Object.entries<Node>(document.components?.schemas ?? {})
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, schema]) => `### ${name}\n\n\`\`\`ts\n${spell(schema, 0)}\n\`\`\`\n`);
  return [INTRODUCTION, ...sections, `## Types\n\n${types.join("\n")}`].join("\n");
}

function writeEndpoint({ method, path, operation }: Endpoint): string {
  const lines = [`### \`${method} ${path}\``, "", `${operation.summary}.`, ""];
  const parameters: readonly Node[] = operation.parameters ?? [];
  const shown = parameters.filter(({ in: where }) => where !== "path");
  for (const { in: where, name, schema, required, description } of shown) {
    const about = description ?? schema?.description;
    const kind = where === "header" ? "Header" : "Query";
    lines.push(
      `- ${kind} \`${name}${required === true ? "" : "?"}\`: ${spellInline(schema)}${about === undefined ? "" : `. ${about}`}`,
    );
  }
  if (shown.length > 0) lines.push("");
  for (const [mime, { schema }] of Object.entries<Node>(operation.requestBody?.content ?? {}))
    lines.push(`Request body, \`${mime}\`:`, "", "```ts", spell(schema, 0), "```", "");
  for (const [status, answer] of Object.entries<Node>(operation.responses)) lines.push(...writeAnswer(status, answer));
  return lines.join("\n");
}

/** Errors of every endpoint are stated once, above the endpoints. */
const SAID_ABOVE = new Set(Object.keys(usualProblems));

function writeAnswer(status: string, { description, content }: Node): string[] {
  if (SAID_ABOVE.has(status)) return [];
  const [[mime, media] = []] = Object.entries<Node>(content ?? {});
  if (mime === undefined) return [`**${status}** ${description}`, ""];
  if (mime !== "application/json") return [`**${status}** \`${mime}\`. ${description}`, ""];
  const { $ref: ref } = media?.schema ?? {};
  if (ref === "#/components/schemas/Problem") return [`**${status}** ${description}`, ""];
  return [`**${status}** ${description}`, "", "```ts", spell(media?.schema, 0), "```", ""];
}

function spellInline(schema: Node | undefined): string {
  const { default: usual } = schema ?? {};
  return `\`${spell(schema, 0).replace(/\s+/g, " ")}\`${usual === undefined ? "" : `, default ${JSON.stringify(usual)}`}`;
}

/** A schema written as a TypeScript type. Its limits are not part of the type; the OpenAPI document has them. */
function spell(schema: Node | undefined, depth: number): string {
  if (schema === undefined) return "unknown";
  if (typeof schema.$ref === "string") return schema.$ref.split("/").at(-1) ?? "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value: unknown) => JSON.stringify(value)).join(" | ");
  const options: readonly Node[] | undefined = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return options.map((option) => spell(option, depth)).join(" | ");
  if (schema.allOf !== undefined) return schema.allOf.map((part: Node) => spell(part, depth)).join(" & ");
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => spell({ ...schema, type }, depth)).join(" | ");
  switch (schema.type) {
    case "array": {
      const item = spell(schema.items, depth);
      return /[ |&]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
    }
    case "object":
      return spellObject(schema, depth);
    case "integer":
      return "number";
    case undefined:
      return "unknown";
    default:
      return String(schema.type);
  }
}

function spellObject({ properties, required = [], additionalProperties }: Node, depth: number): string {
  const fields = Object.entries<Node>(properties ?? {});
  if (fields.length === 0)
    return additionalProperties === undefined ? "object" : `Record<string, ${spell(additionalProperties, depth)}>`;
  const indent = "  ".repeat(depth + 1);
  const lines = fields.map(([name, schema]) => {
    const key = /^[a-zA-Z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${indent}${key}${required.includes(name) ? "" : "?"}: ${spell(schema, depth + 1)};`;
  });
  return `{\n${lines.join("\n")}\n${"  ".repeat(depth)}}`;
}
