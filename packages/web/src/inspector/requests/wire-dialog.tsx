/** The body of a request as the provider received it: rebuilt, and compared with the stored hash. */
import type { Wire } from "@cairn/api";
import { Check, CircleAlert, Download } from "lucide-react";
import { useCallback } from "react";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { saveBlob } from "../../ui/stored-bytes.tsx";
import { getWire } from "../data/inspector-api.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { Problem, Waiting } from "../parts/states.tsx";
import { TextBox } from "../parts/text-box.tsx";

export interface WireDialogProps {
  readonly conversationId: string;
  readonly n: number;
  readonly onClose: () => void;
}

export function WireDialog({ conversationId, n, onClose }: WireDialogProps) {
  const load = useCallback(
    async (signal: AbortSignal) => ({ wire: await getWire(conversationId, n, { signal }) }),
    [conversationId, n],
  );
  const { value, problem, reload } = useLoaded(conversationId, String(n), load);
  const wire = value?.wire ?? null;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      shape="wide"
      title={`Body of request ${n}`}
      actions={
        wire === null ? null : (
          <Button
            size="small"
            icon={<Download className="size-3.5" />}
            onClick={() => saveBlob(new Blob([wire.body], { type: "application/json" }), `request-${n}.json`)}
          >
            Download
          </Button>
        )
      }
    >
      <div className="flex min-h-full flex-col gap-3 p-4">
        {problem !== null ? (
          <Problem title="The body could not be rebuilt" problem={problem} onRetry={reload} />
        ) : value === null ? (
          <Waiting label="Rebuilding the body" />
        ) : wire === null ? (
          <p className="m-auto text-sm text-soft">
            The body of this request cannot be rebuilt: the server does not know the model, or the journal does not
            record what was sent. The section “What the model was sent” shows the request as text.
          </p>
        ) : (
          <>
            <Sameness wire={wire} />
            <TextBox name="Body" text={wire.body} language="json" isTall />
          </>
        )}
      </div>
    </Dialog>
  );
}

function Sameness({ wire: { same, difference } }: { readonly wire: Wire }) {
  if (same === true)
    return (
      <Banner tone="accent" icon={<Check />}>
        These are exactly the bytes that were sent: their hash matches the receipt.
      </Banner>
    );
  return (
    <Banner tone={same === null ? "ochre" : "danger"} icon={<CircleAlert />}>
      {same === null
        ? "The receipt contains no hash, so it is unknown whether these are the bytes that were sent."
        : difference}
    </Banner>
  );
}
