import { type Addition, script } from "./addition.ts";

export const inspectorTab: Addition = {
  what: "an inspector tab",
  newFiles: {
    "packages/web/src/inspector/notes/notes-tab.tsx": `/** A tab that shows where it is. */
import { StickyNote } from "lucide-react";
import type { InspectorTab } from "../data/inspector-tab.ts";

export const notesTab: InspectorTab = {
  name: "Notes",
  icon: <StickyNote />,
  segments: ["notes"],
  draw: (conversationId) => <p>{conversationId}</p>,
};
`,
  },
  edits: [
    {
      file: "packages/web/src/inspector/tabs.ts",
      behind: 'import { filesTab } from "./files/files-tab.tsx";\n',
      add: 'import { notesTab } from "./notes/notes-tab.tsx";\n',
    },
    { file: "packages/web/src/inspector/tabs.ts", behind: "sourcesTab, filesTab", add: ", notesTab" },
  ],
  check: {
    args: script(`
      import { build } from "esbuild";
      const { outputFiles } = await build({
        stdin: { contents: 'import { TABS } from "./packages/web/src/inspector/tabs.ts"; console.log(TABS.map(({ name }) => name).join());', resolveDir: "." },
        bundle: true, write: false, packages: "external", external: ["*?url"], format: "esm", platform: "browser", jsx: "automatic", loader: { ".css": "empty" }, logLevel: "error",
      });
      console.log(outputFiles[0].text.includes('name: "Notes"') ? "the tab is in the bundle" : "no tab");`),
    prints: "the tab is in the bundle",
  },
};
