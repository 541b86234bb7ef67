/** An address of this app that leads nowhere. */
import { Compass } from "lucide-react";
import { Link } from "../route/link.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

export function NotFound() {
  return (
    <EmptyState
      icon={<Compass />}
      title="Nothing stands here"
      action={
        <Link to={{ page: "new" }} className="text-sm font-medium text-accent hover:underline">
          Start a new conversation
        </Link>
      }
    >
      The address leads to no page of this app.
    </EmptyState>
  );
}
