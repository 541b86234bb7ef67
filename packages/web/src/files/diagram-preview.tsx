/** A Mermaid file as a diagram, which an isolated frame without network draws and the app shows as a picture. */
import { useEffect, useRef, useState } from "react";
import { PREFIX } from "../api/address.ts";
import { useIsDark } from "../theme/theme.ts";
import { Picture, SourceText, Waiting } from "./preview-parts.tsx";
import { svgSource } from "./svg-source.ts";

interface DiagramProps {
  readonly text: string;
  readonly name: string;
}

type Drawing =
  | { readonly phase: "drawing" }
  | { readonly phase: "drawn"; readonly svg: string; readonly label: string }
  | { readonly phase: "failed"; readonly reason: string };

/** Maximum length of a diagram. For a longer one, the frame would draw a note instead. */
const MAX_CHARACTERS = 50_000;

const TIMEOUT_MS = 20_000;
const TOO_LATE: Drawing = { phase: "failed", reason: "drawing it took too long" };

export function DiagramPreview(diagram: DiagramProps) {
  const isDark = useIsDark();
  if (diagram.text.length > MAX_CHARACTERS)
    return <NotDrawn {...diagram} reason={`it has more than ${MAX_CHARACTERS.toLocaleString("en")} characters`} />;
  // A new frame draws the diagram when the text or the theme changes.
  return <Drawn key={`${isDark} ${diagram.text}`} {...diagram} isDark={isDark} />;
}

function Drawn({ isDark, ...diagram }: DiagramProps & { readonly isDark: boolean }) {
  const { text, name } = diagram;
  const frame = useRef<HTMLIFrameElement>(null);
  const [drawing, setDrawing] = useState<Drawing>({ phase: "drawing" });
  useEffect(() => {
    // The frame has an opaque origin, so it is recognised by its window.
    const onMessage = ({ source, data }: MessageEvent<unknown>) => {
      if (source === null || source !== frame.current?.contentWindow) return;
      if (data === "ready") frame.current.contentWindow.postMessage({ text, isDark }, "*");
      else setDrawing(drawingOf(data));
    };
    addEventListener("message", onMessage);
    const late = () => setDrawing((now) => (now.phase === "drawing" ? TOO_LATE : now));
    const timer = setTimeout(late, TIMEOUT_MS);
    return () => {
      removeEventListener("message", onMessage);
      clearTimeout(timer);
    };
  }, [text, isDark]);
  if (drawing.phase === "failed") return <NotDrawn {...diagram} reason={drawing.reason} />;
  if (drawing.phase === "drawn")
    return <Picture src={svgSource(drawing.svg)} name={drawing.label === "" ? `Diagram of ${name}` : drawing.label} />;
  return (
    <>
      <Waiting />
      <iframe
        ref={frame}
        title={`Drawing ${name}`}
        sandbox="allow-scripts"
        src={`${PREFIX}/preview/diagram`}
        className="pointer-events-none invisible fixed top-0 left-0 h-[48rem] w-[64rem]"
      />
    </>
  );
}

function NotDrawn({ text, reason }: DiagramProps & { readonly reason: string }) {
  return (
    <>
      <p role="status" className="border-b border-line px-5 py-2 text-sm text-soft">
        This diagram cannot be drawn, so its source is shown: {reason}.
      </p>
      <SourceText text={text} language="mermaid" />
    </>
  );
}

/** The answer is checked, because the frame handles untrusted text. */
function drawingOf(data: unknown): Drawing {
  const { svg, label, problem } = Object(data) as Readonly<Record<string, unknown>>;
  if (typeof svg === "string" && typeof label === "string") return { phase: "drawn", svg, label };
  if (typeof problem === "string" && problem.startsWith("No diagram type detected"))
    return { phase: "failed", reason: "this kind of diagram is not known" };
  const line = typeof problem === "string" ? (problem.split("\n")[0]?.slice(0, 200) ?? "") : "";
  return { phase: "failed", reason: line.replace(/[\s.:]+$/, "") || "the frame gave no reason" };
}
