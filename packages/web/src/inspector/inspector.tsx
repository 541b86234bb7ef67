/** The inspector: what the model saw. Loaded when it is first opened; it interprets the rest of its address. */
import { Boxes, EyeOff, FolderOpen, Library, ListTree, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import "./inspector.css";
import { Link } from "../route/link.tsx";
import { appStore } from "../state/app-state.ts";
import { useMayInspect } from "../state/may-inspect.ts";
import { useStore } from "../state/store.ts";
import { cx } from "../ui/class-names.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { BlocksPage } from "./blocks/blocks-page.tsx";
import { PathPage } from "./blocks/path-page.tsx";
import { type InspectorPlace, NO_FILTERS, placeOf, routeTo } from "./data/place.ts";
import { FilesPage } from "./files/files-page.tsx";
import { InspectorLink } from "./parts/inspector-link.tsx";
import { RequestsPage } from "./requests/requests-page.tsx";
import { SourcesPage } from "./sources/sources-page.tsx";

export interface InspectorProps {
  readonly conversationId: string;
  /** Path segments after `/c/<id>/inspect/`, decoded. */
  readonly rest: readonly string[];
  /** The query, with its question mark. */
  readonly search: string;
}

export default function Inspector({ conversationId, rest, search }: InspectorProps) {
  const place = placeOf(rest, search);
  const mayInspect = useMayInspect();
  const isMissing = useStore(appStore, ({ session }) => session?.id === conversationId && session.phase === "missing");
  if (!mayInspect)
    return (
      <EmptyState icon={<EyeOff />} title="You may not inspect this conversation">
        The inspector shows what the model saw, with the notes it keeps for itself. That needs a token with the
        permission “inspect”. Whoever runs the server can give you one.
      </EmptyState>
    );
  return (
    <div className="inspector @container flex min-h-0 flex-1 flex-col">
      <Tabs conversationId={conversationId} place={place} />
      {isMissing ? (
        <EmptyState icon={<SearchX />} title="There is nothing to inspect">
          There is no such conversation.
        </EmptyState>
      ) : (
        <Page key={conversationId} conversationId={conversationId} place={place} />
      )}
    </div>
  );
}

const TABS: readonly { readonly name: string; readonly icon: ReactNode; readonly place: InspectorPlace }[] = [
  { name: "Requests", icon: <ListTree />, place: { tab: "requests", n: null, compareWith: null } },
  { name: "Blocks", icon: <Boxes />, place: { tab: "blocks", position: null, filters: NO_FILTERS } },
  { name: "Sources", icon: <Library />, place: { tab: "sources", sid: null } },
  { name: "Files", icon: <FolderOpen />, place: { tab: "files", path: null, version: null } },
];

/** Links and not ARIA tabs: each leads to its own address. */
function Tabs({ conversationId, place }: { readonly conversationId: string; readonly place: InspectorPlace | null }) {
  const current = place?.tab === "path" ? "blocks" : place?.tab;
  return (
    <nav aria-label="Inspector" className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-3">
      {TABS.map(({ name, icon, place: to }) => (
        <Link
          key={name}
          to={routeTo(conversationId, to)}
          {...(current === to.tab ? { "aria-current": "page" } : {})}
          className={cx(
            "-mb-px flex items-center gap-1.5 border-b-2 px-2 py-2.5 text-sm focus-visible:-outline-offset-2 [&_svg]:size-4 max-sm:[&_svg]:hidden",
            current === to.tab ? "border-accent font-medium" : "border-transparent text-soft hover:text-ink",
          )}
        >
          {icon}
          {name}
        </Link>
      ))}
    </nav>
  );
}

function Page({ conversationId, place }: { readonly conversationId: string; readonly place: InspectorPlace | null }) {
  switch (place?.tab) {
    case "requests":
      return <RequestsPage conversationId={conversationId} n={place.n} compareWith={place.compareWith} />;
    case "blocks":
      return <BlocksPage conversationId={conversationId} position={place.position} filters={place.filters} />;
    case "path":
      return <PathPage conversationId={conversationId} path={place.path} />;
    case "sources":
      return <SourcesPage conversationId={conversationId} sid={place.sid} />;
    case "files":
      return <FilesPage conversationId={conversationId} path={place.path} version={place.version} />;
    default:
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
}
