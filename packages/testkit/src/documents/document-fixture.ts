/** Documents that other programs made; `fixtures/documents/README.md` describes how. */
import { fileURLToPath } from "node:url";

export function documentFixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/documents/${encodeURIComponent(name)}`, import.meta.url));
}
