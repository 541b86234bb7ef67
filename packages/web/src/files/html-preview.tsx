/** An HTML file in a frame without scripts, network and access to the app. */
import { useEffect, useRef } from "react";
import { PREFIX } from "../api/address.ts";
import { withoutRequests } from "./without-requests.ts";

export function HtmlPreview({ text, name }: { readonly text: string; readonly name: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const shown = withoutRequests(text) ?? "<p>This file cannot be shown safely. Look at its source.</p>";
    const send = () => frame.current?.contentWindow?.postMessage(shown, "*");
    // The frame has an opaque origin, so it is recognised by its window.
    const onMessage = ({ source, data }: MessageEvent) => {
      if (source === frame.current?.contentWindow && data === "ready") send();
    };
    addEventListener("message", onMessage);
    send();
    return () => removeEventListener("message", onMessage);
  }, [text]);
  return (
    <>
      <iframe
        ref={frame}
        title={`Preview of ${name}`}
        sandbox="allow-scripts"
        src={`${PREFIX}/preview`}
        className="min-h-[60dvh] w-full flex-1 border-0 bg-white"
      />
      <p className="border-t border-line px-4 py-2 text-xs text-faint">
        Scripts, forms and everything from other servers are left out. Download the file to open it whole.
      </p>
    </>
  );
}
