/** Copies a text and confirms it. */
import { Check, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { IconButton } from "./button.tsx";
import { copyText } from "./copy-text.ts";

const SHOWN_MS = 1_500;

export interface CopyButtonProps {
  /** The text, or a function that returns it. */
  readonly text: string | (() => string);
  readonly label?: string;
  readonly icon?: ReactNode;
}

export function CopyButton({ text, label = "Copy", icon = <Copy /> }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(typeof text === "string" ? text : text()))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <IconButton label={isCopied ? "Copied" : label} size="small" onClick={copy}>
      {isCopied ? <Check /> : icon}
    </IconButton>
  );
}
