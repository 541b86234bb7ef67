/**
 * Checks that bodies of requests compile against the types of the providers' own packages. The bodies are written as
 * object literals into a TypeScript file, in which the compiler rejects fields that the types do not have.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "@cairn/timeline";
import { CHECKER_MODULES } from "../checkers.ts";
import type { ApiName } from "../models/index.ts";

const MAX_TEXT_LENGTH = 40;

/** The types of bodies by API. Google publishes none for its HTTP API, and those of AWS are for AWS's own client. */
const TYPES: Readonly<Partial<Record<ApiName, readonly [module: string, type: string]>>> = {
  anthropic: ["@anthropic-ai/sdk/resources/messages", "MessageCreateParams"],
  "openai-responses": ["openai/resources/responses/responses", "ResponseCreateParams"],
  "openai-chat": ["openai/resources/chat/completions", "ChatCompletionCreateParams"],
};

/** The compiler's errors, one per line. */
export async function checkBodies(bodies: ReadonlyMap<ApiName, readonly string[]>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-bodies-"));
  try {
    for (const [api, spelled] of bodies) await writeBodies(folder, api, spelled);
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(CONFIG));
    return await compile(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const CONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: "esnext",
    types: [],
    module: "nodenext",
    moduleResolution: "nodenext",
    exactOptionalPropertyTypes: true,
    lib: ["esnext", "dom"],
    paths: {
      "@anthropic-ai/sdk/*": [join(CHECKER_MODULES, "@anthropic-ai/sdk/*")],
      "openai/*": [join(CHECKER_MODULES, "openai/*")],
    },
  },
};

async function writeBodies(folder: string, api: ApiName, bodies: readonly string[]): Promise<void> {
  const [module, type] = TYPES[api] ?? [];
  if (module === undefined || type === undefined) return;
  // Texts are shortened, because types ignore them; bodies that are then equal are checked once.
  const shapes = new Set(bodies.map((body) => JSON.stringify(shorten(JSON.parse(body) as Json))));
  const lines = [...shapes].map((shape) => `  ${shape},`);
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, `${api}.mts`),
    `import type { ${type} } from "${module}.js";\n\nexport const bodies: ${type}[] = [\n${lines.join("\n")}\n];\n`,
  );
}

function shorten(value: Json): Json {
  if (typeof value === "string") return value.length > MAX_TEXT_LENGTH ? value.slice(0, MAX_TEXT_LENGTH) : value;
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner ?? null)]));
}

async function compile(folder: string): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [join(CHECKER_MODULES, "typescript", "bin", "tsc"), "-p", folder, "--checkers", "1"],
    {
      cwd: folder,
    },
  );
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("error", reject);
  child.once("close", resolve);
  const status = await promise;
  const lines = Buffer.concat(chunks)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
  return status === 0 ? [] : lines.length > 0 ? lines : [`The compiler ended with ${status}.`];
}
