/** Copies a text and says that it did. */
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { tell } from "../state/app-state.ts";
import { IconButton } from "./button.tsx";

const SHOWN_MS = 1_500;

export function CopyButton({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    } catch {
      tell("problem", "The browser does not let this page copy. Select the text instead.");
    }
  };
  return (
    <IconButton label={isCopied ? "Copied" : label} size="small" onClick={copy}>
      {isCopied ? <Check /> : <Copy />}
    </IconButton>
  );
}
