/** The standing orders of a conversation, to view, correct, delete and add. */
import type { ListedOrder } from "@cairn/api";
import { Check, PencilLine, Trash2, X } from "lucide-react";
import { useEffect, useState } from "react";
import { addOrder, correctOrder, deleteOrder, listOrders } from "../api/client.ts";
import { reasonOf } from "../state/conversation-list.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

export interface OrdersDialogProps {
  readonly conversationId: string;
  readonly onClose: () => void;
}

const MAX_CHARS = 600;
const FIELD =
  "min-w-0 flex-1 rounded-lg border border-line-strong bg-paper px-3 py-1.5 text-sm outline-none focus:border-accent";

export function OrdersDialog({ conversationId, onClose }: OrdersDialogProps) {
  const [orders, setOrders] = useState<readonly ListedOrder[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [added, setAdded] = useState("");
  const show = async (change: Promise<readonly ListedOrder[]>) => {
    try {
      setOrders(await change);
      setProblem(null);
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  useEffect(() => {
    const closed = new AbortController();
    listOrders(conversationId, { signal: closed.signal }).then(setOrders, (error: unknown) => {
      if (!closed.signal.aborted) setProblem(reasonOf(error));
    });
    return () => closed.abort();
  }, [conversationId]);
  return (
    <Dialog isOpen onClose={onClose} title="Standing orders">
      <div className="flex flex-col gap-4 p-5">
        <p className="text-sm text-soft">
          Your lasting instructions. The agent keeps them in view, however long the conversation gets.
        </p>
        {problem === null ? null : (
          <p role="alert" className="text-sm text-danger">
            {problem}
          </p>
        )}
        {orders?.length === 0 ? <p className="text-sm text-faint">Nothing yet.</p> : null}
        <ul aria-label="Standing orders" className="flex max-h-80 flex-col gap-1 overflow-y-auto">
          {orders?.map((order) => (
            <OrderItem
              key={order.id}
              order={order}
              onCorrect={(text) => void show(correctOrder(conversationId, order.id, text))}
              onDelete={() => void show(deleteOrder(conversationId, order.id))}
            />
          ))}
        </ul>
        <form
          className="flex items-center gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            const text = added.trim();
            if (text === "") return;
            setAdded("");
            void show(addOrder(conversationId, text));
          }}
        >
          <input
            data-first-focus
            value={added}
            maxLength={MAX_CHARS}
            aria-label="New order"
            placeholder="Always answer in short sentences."
            onChange={(event) => setAdded(event.target.value)}
            className={FIELD}
          />
          <Button type="submit" look="strong" disabled={added.trim() === ""}>
            Add
          </Button>
        </form>
      </div>
    </Dialog>
  );
}

interface OrderItemProps {
  readonly order: ListedOrder;
  readonly onCorrect: (text: string) => void;
  readonly onDelete: () => void;
}

function OrderItem({ order, onCorrect, onDelete }: OrderItemProps) {
  const [text, setText] = useState<string | null>(null);
  if (text === null)
    return (
      <li className="flex items-center gap-1">
        <span className="w-20 shrink-0 text-xs text-faint">{order.kind}</span>
        <span dir="auto" className="min-w-0 flex-1 text-sm break-words">
          {order.text}
          {order.by === "agent" ? <span className="text-xs text-faint"> (noted by the agent)</span> : null}
        </span>
        <IconButton label={`Correct: ${order.text}`} size="small" onClick={() => setText(order.text)}>
          <PencilLine />
        </IconButton>
        <IconButton label={`Delete: ${order.text}`} size="small" onClick={onDelete}>
          <Trash2 />
        </IconButton>
      </li>
    );
  return (
    <li>
      <form
        className="flex items-center gap-1"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") onCorrect(text.trim());
          setText(null);
        }}
      >
        <input
          value={text}
          maxLength={MAX_CHARS}
          aria-label="Order"
          onChange={(event) => setText(event.target.value)}
          className={FIELD}
        />
        <IconButton label="Save" size="small" type="submit">
          <Check />
        </IconButton>
        <IconButton label="Cancel" size="small" onClick={() => setText(null)}>
          <X />
        </IconButton>
      </form>
    </li>
  );
}
