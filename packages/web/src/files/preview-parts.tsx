/** Components that previews of several kinds share. */
import { Highlighted } from "../markdown/code-block.tsx";
import { Mark } from "../ui/mark.tsx";
import { REACHABLE } from "../ui/reachable.ts";
import { StoredImage } from "../ui/stored-bytes.tsx";

export function Picture({ src, name }: { readonly src: string; readonly name: string }) {
  return (
    <div className="grid flex-1 place-items-center bg-sunken p-6">
      <StoredImage address={src} alt={name} className="max-h-full max-w-full" />
    </div>
  );
}

export function Waiting() {
  return <Mark breathing className="m-auto size-8" />;
}

export function SourceText({ text, language }: { readonly text: string; readonly language: string }) {
  return (
    <pre {...REACHABLE} className="code min-h-0 flex-1 overflow-x-auto px-5 py-4">
      <Highlighted code={text} language={language} />
    </pre>
  );
}
