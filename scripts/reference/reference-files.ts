/** The generated documents, with the text that they should have now. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "@cairn/server";
import { loadSettings } from "cairn-agent/process";
import { writeApiReference } from "./api-reference.ts";
import { writeConfigurationReference } from "./configuration-reference.ts";
import { fillExamples } from "./example-blocks.ts";
import { writeLayersReference, writeLibraryReference } from "./library-reference.ts";

export async function composeReferences(): Promise<Readonly<Record<string, string>>> {
  return {
    "docs/api.md": writeApiReference(await readDocument()),
    "docs/configuration.md": writeConfigurationReference(),
    "docs/reference.md": writeLibraryReference(),
    "docs/reference-layers.md": writeLayersReference(),
    ...fillExamples(),
  };
}

/** The OpenAPI document as a running server returns it to any caller. */
async function readDocument() {
  const folder = await mkdtemp(join(tmpdir(), "cairn-docs-"));
  const settings = await loadSettings({ cwd: folder, env: { CAIRN_PORT: "0" } });
  const server = await startServer({ settings, env: {}, logTo: { write: () => true } });
  try {
    return JSON.parse(await (await fetch(`${server.address}/openapi.json`)).text());
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
