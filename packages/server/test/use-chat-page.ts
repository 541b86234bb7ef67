/**
 * For tests: a page written only with the AI SDK's documentation, built for a browser. It uses `useChat` unchanged,
 * with its own transport and addresses, begins with the history of the server, and resumes a running answer.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const ENTRY = "virtual:page";

const SOURCE = `
import { useChat } from "@ai-sdk/react";
import { createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";

const id = location.hash.slice(1);
const history = await (await fetch("/api/chat/" + id)).json();

function Page() {
  const { messages, sendMessage, status, error } = useChat({ id, messages: history, resume: true });
  const [text, setText] = useState("");
  const submit = (event) => {
    event.preventDefault();
    sendMessage({ text });
    setText("");
  };
  return h("main", null,
    h("ol", null, messages.map(({ id, role, parts }) => h("li", { key: id, "data-role": role },
      parts.map((part, index) => part.type === "text" ? h("p", { key: index }, part.text) : null)))),
    h("p", { role: "status" }, status),
    error && h("p", { role: "alert" }, error.message),
    h("form", { onSubmit: submit },
      h("input", { "aria-label": "Message", value: text, onChange: (event) => setText(event.target.value) })));
}

createRoot(document.getElementById("root")).render(h(Page));
`;

export interface BuiltPage extends AsyncDisposable {
  /** To be served as the web app. */
  readonly folder: string;
}

export async function buildPage(): Promise<BuiltPage> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-page-"));
  await mkdir(join(folder, "assets"));
  await build({
    root: PACKAGE,
    configFile: false,
    logLevel: "error",
    plugins: [
      {
        name: "page",
        resolveId: (source) => (source === ENTRY ? ENTRY : null),
        load: (source) => (source === ENTRY ? SOURCE : null),
      },
    ],
    build: {
      outDir: join(folder, "assets"),
      write: true,
      minify: false,
      copyPublicDir: false,
      rolldownOptions: { input: ENTRY, output: { entryFileNames: "page.js" } },
    },
  });
  const script = '<script type="module" src="/assets/page.js"></script>';
  await writeFile(join(folder, "index.html"), `<!doctype html><title>A chat</title><div id="root"></div>${script}`);
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
