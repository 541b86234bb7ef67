/** Tests that every renderer of this package meets the contract. */
import { documentRendererSuite, officeText } from "@cairn/testkit/documents";
import { findCommand } from "@cairn/testkit/system-package";
import { describe, it } from "vitest";
import { pdfPages } from "../../test/read-back.ts";
import { ChromiumRenderer } from "./chromium-renderer.ts";
import { EmbeddedRenderer } from "./embedded-renderer.ts";
import type { DocumentTarget } from "./renderer/document-renderer.ts";

async function readText(target: DocumentTarget, bytes: Uint8Array): Promise<string | null> {
  if (target === "png") return null;
  return target === "pdf" ? (await pdfPages(bytes)).join("\n") : officeText(bytes);
}

documentRendererSuite(
  "the embedded engine",
  [
    ["pdf", "markdown"],
    ["png", "markdown"],
    ["docx", "markdown"],
    ["pptx", "markdown"],
    ["docx", "html"],
    ["pptx", "html"],
  ],
  async () => ({ renderer: new EmbeddedRenderer(), readText }),
);

const browser = findCommand("chromium-headless-shell");
if (browser.path === null) describe("Chromium", () => it.skip(`keeps the contract: ${browser.reason}`));
else
  documentRendererSuite(
    "Chromium",
    [
      ["pdf", "html"],
      ["png", "html"],
    ],
    async () => ({ renderer: new ChromiumRenderer({ executable: browser.path }), readText }),
  );
