/** Saves a conversation as Markdown, or as one HTML file that needs nothing else. Loaded on demand. */
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { Markdown } from "../markdown/markdown.tsx";
import { sessionOf } from "../state/app-state.ts";
import { conversationMarkdown } from "../state/conversation-markdown.ts";
import { loadAllTurns } from "../state/print-conversation.ts";
import { saveBlob } from "../ui/stored-bytes.tsx";

const STYLE =
  "body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 Georgia,serif;color:#1c211d;background:#fff}" +
  "h1,h2,h3{font-family:system-ui,sans-serif;line-height:1.25}h2{margin-top:2.5rem;border-top:1px solid #ccc;padding-top:1rem;font-size:1rem}" +
  "h3{font-size:1rem}blockquote{margin:0;padding:.5rem 1rem;background:#f3f3ef;border-left:3px solid #aaa}" +
  "pre{overflow:auto;padding:.75rem;background:#f3f3ef;font-size:.85rem}table{border-collapse:collapse}" +
  "th,td{border:1px solid #ccc;padding:.3rem .6rem;text-align:start}img{max-width:100%}button{all:unset}";

export async function saveConversation(id: string, format: "md" | "html"): Promise<void> {
  if (!(await loadAllTurns(id))) return;
  const view = sessionOf(id)?.view;
  if (view === undefined) return;
  const text = conversationMarkdown(view);
  const name = `${(view.title ?? "").replace(/[^\p{L}\p{N} -]+/gu, "").trim() || "conversation"}.${format}`;
  if (format === "md") return saveBlob(new Blob([text], { type: "text/markdown" }), name);
  saveBlob(new Blob([toHtml(view.title ?? "Untitled", text)], { type: "text/html" }), name);
}

function toHtml(title: string, text: string): string {
  const place = document.createElement("main");
  const root = createRoot(place);
  flushSync(() => root.render(<Markdown text={text} />));
  const content = place.cloneNode(true) as HTMLElement;
  root.unmount();
  for (const caption of content.querySelectorAll("figcaption")) caption.remove();
  const heading = document.createElement("title");
  heading.textContent = title;
  // The policy of the app would refuse a style element, even one that is never shown.
  const head = `<meta charset="utf-8">${heading.outerHTML}<style>${STYLE}</style>`;
  return `<!doctype html>\n<html lang="en"><head>${head}</head><body>${content.outerHTML}</body></html>\n`;
}
