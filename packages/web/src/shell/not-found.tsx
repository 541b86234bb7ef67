/** The page for an unknown address. */
import { Compass } from "lucide-react";
import { Link } from "../route/link.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

export function NotFound() {
  return (
    <EmptyState
      icon={<Compass />}
      title="Page not found"
      action={
        <Link to={{ page: "new" }} className="text-sm font-medium text-accent hover:underline">
          Start a new conversation
        </Link>
      }
    >
      This app has no page at this address.
    </EmptyState>
  );
}
