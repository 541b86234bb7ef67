/** For the test of `chat-route.ts`: builds the page of a new project (`create/template/page.tsx`) for a browser. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const TEMPLATE = fileURLToPath(new URL("../create/template", import.meta.url));

export interface BuiltPage extends AsyncDisposable {
  readonly folder: string;
}

export async function buildPage(): Promise<BuiltPage> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-page-"));
  await mkdir(join(folder, "assets"));
  await build({
    root: TEMPLATE,
    configFile: false,
    logLevel: "error",
    build: {
      outDir: join(folder, "assets"),
      write: true,
      minify: false,
      copyPublicDir: false,
      rolldownOptions: { input: join(TEMPLATE, "page.tsx"), output: { entryFileNames: "page.js" } },
    },
  });
  const script = '<script type="module" src="/assets/page.js"></script>';
  await writeFile(join(folder, "index.html"), `<!doctype html><title>A chat</title><div id="root"></div>${script}`);
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
