/** Copies a text and confirms it. */
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { tell } from "../state/app-state.ts";
import { IconButton } from "./button.tsx";

const SHOWN_MS = 1_500;

export interface CopyButtonProps {
  /** The text, or a function that returns it. */
  readonly text: string | (() => string);
  readonly label?: string;
}

export function CopyButton({ text, label = "Copy" }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    } catch {
      tell("problem", "The browser does not allow this page to copy. Select the text instead.");
    }
  };
  return (
    <IconButton label={isCopied ? "Copied" : label} size="small" onClick={copy}>
      {isCopied ? <Check /> : <Copy />}
    </IconButton>
  );
}
