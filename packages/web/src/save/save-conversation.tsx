/** Saves a conversation as Markdown, or as one HTML file that needs nothing else. Loaded on demand. */
import type { TurnView } from "@cairn/timeline";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { loadPictures } from "../files/load-pictures.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { ReadingContext } from "../markdown/reading-context.ts";
import { addressOf } from "../route/location.ts";
import { sessionOf } from "../state/open-session.ts";
import { loadAllTurns } from "../state/print-conversation.ts";
import { saveBlob } from "../ui/stored-bytes.tsx";
import { loadCitedTexts } from "./cited-texts.ts";
import { conversationMarkdown, type ExportParts } from "./conversation-markdown.ts";

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
  const pictures = await loadPictures(id, view.turns);
  const pictureSource = (path: string) => pictures.get(path) ?? null;
  const places = {
    texts: await loadCitedTexts(id, view),
    addressOf: ({ turn_id }: TurnView, part: string) =>
      addressOf({ page: "chat", conversationId: id, turnId: `${turn_id} ${part}` }),
  };
  const name = `${fileNameOf(view.title ?? "")}.${format}`;
  if (format === "md") {
    const text = `${conversationMarkdown(view, { pictureSource, ...places }).join("\n\n")}\n`;
    return saveBlob(new Blob([text], { type: "text/markdown" }), name);
  }
  // A picture is put in when it is drawn, because Markdown with pictures in it is too long to be read.
  const drawn = (path: string) => (pictures.has(path) ? path : null);
  const parts = conversationMarkdown(view, { pictureSource: drawn, ...places });
  saveBlob(new Blob([toHtml(view.title ?? "Untitled", parts, pictureSource)], { type: "text/html" }), name);
}

/** The title without characters that file systems refuse. */
function fileNameOf(title: string): string {
  return title.replace(/[^\p{L}\p{M}\p{N} ._-]+/gu, "").replace(/^[\s.]+|[\s.]+$/g, "") || "conversation";
}

function toHtml(title: string, parts: readonly string[], fileSource: ExportParts["pictureSource"]): string {
  const place = document.createElement("main");
  const root = createRoot(place);
  flushSync(() =>
    root.render(
      <ReadingContext value={{ fileSource }}>
        {parts.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts are drawn once.
          <Markdown key={index} text={text} />
        ))}
      </ReadingContext>,
    ),
  );
  const content = place.cloneNode(true) as HTMLElement;
  root.unmount();
  // The app draws headings one level lower, below the heading of its page.
  for (const heading of content.querySelectorAll<HTMLElement>("h2, h3, h4, h5, h6")) {
    const raised = document.createElement(`h${Number(heading.tagName.slice(1)) - 1}`);
    raised.dir = heading.dir;
    raised.append(...heading.childNodes);
    heading.replaceWith(raised);
  }
  for (const caption of content.querySelectorAll("figcaption")) caption.remove();
  const heading = document.createElement("title");
  heading.textContent = title;
  // The style is added as text, because the app's policy refuses a style element, even one that is never shown.
  const head = `<meta charset="utf-8">${heading.outerHTML}<style>${STYLE}</style>`;
  return `<!doctype html>\n<html lang="en"><head>${head}</head><body>${content.outerHTML}</body></html>\n`;
}
