/** Shown instead of the page if rendering fails, because of a bug or because a part of the app could not be loaded. */
import { TriangleAlert } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

export function Undrawn() {
  return (
    <EmptyState
      icon={<TriangleAlert />}
      title="This page cannot be shown"
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      Nothing is lost: the conversation is on the server, and your draft is kept.
    </EmptyState>
  );
}
