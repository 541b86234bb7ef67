/** The inspector: what the model saw. Its code is loaded on demand. Its tabs interpret the rest of the address. */
import { EyeOff, SearchX } from "lucide-react";
import { Fragment } from "react";
import "./inspector.css";
import { Link } from "../route/link.tsx";
import { useApp } from "../state/app-state.ts";
import { useMayInspect } from "../state/may-inspect.ts";
import { cx } from "../ui/class-names.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import type { InspectorAddress, InspectorTab } from "./data/inspector-tab.ts";
import { InspectorLink } from "./parts/inspector-link.tsx";
import { TABS } from "./tabs.ts";

export interface InspectorProps extends InspectorAddress {
  readonly conversationId: string;
}

export default function Inspector({ conversationId, rest, search }: InspectorProps) {
  const tab = tabOf(rest);
  const page = tab?.draw(conversationId, { rest, search }) ?? null;
  const mayInspect = useMayInspect();
  const isMissing = useApp(({ session }) => session?.id === conversationId && session.phase === "missing");
  if (!mayInspect)
    return (
      <EmptyState icon={<EyeOff />} title="You have no permission to inspect this conversation">
        The inspector shows what the model saw, with the notes it keeps for itself. It requires a token with the
        permission “inspect”, which the operator of the server can give you.
      </EmptyState>
    );
  return (
    <div className="inspector @container flex min-h-0 flex-1 flex-col">
      <Tabs conversationId={conversationId} current={page === null ? undefined : tab} />
      {isMissing ? (
        <EmptyState icon={<SearchX />} title="There is nothing to inspect">
          There is no such conversation.
        </EmptyState>
      ) : (
        <Fragment key={conversationId}>{page ?? <NoPage conversationId={conversationId} />}</Fragment>
      )}
    </div>
  );
}

function tabOf([segment]: readonly string[]): InspectorTab | undefined {
  return segment === undefined ? TABS[0] : TABS.find(({ segments }) => segments.includes(segment));
}

interface TabsProps {
  readonly conversationId: string;
  readonly current: InspectorTab | undefined;
}

/** The tabs are links and no ARIA tabs, because each has its own address. */
function Tabs({ conversationId, current }: TabsProps) {
  return (
    <nav aria-label="Inspector" className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-3">
      {TABS.map((tab) => (
        <Link
          key={tab.name}
          to={{ page: "inspect", conversationId, rest: [tab.segments[0]], search: "" }}
          {...(current === tab ? { "aria-current": "page" } : {})}
          className={cx(
            "-mb-px flex items-center gap-1.5 border-b-2 px-2 py-2.5 text-sm focus-visible:-outline-offset-2 [&_svg]:size-4 max-sm:[&_svg]:hidden",
            current === tab ? "border-accent font-medium" : "border-transparent text-soft hover:text-ink",
          )}
        >
          {tab.icon}
          {tab.name}
        </Link>
      ))}
    </nav>
  );
}

function NoPage({ conversationId }: { readonly conversationId: string }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title="Page not found"
      action={
        <InspectorLink
          conversationId={conversationId}
          to={{ tab: "requests", n: null, compareWith: null }}
          className="text-sm font-medium"
        >
          Go to the requests
        </InspectorLink>
      }
    >
      The inspector has no page at this address.
    </EmptyState>
  );
}
