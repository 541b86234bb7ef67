/** The tab of the sources of a conversation. */
import { Library } from "lucide-react";
import type { InspectorTab } from "../data/inspector-tab.ts";
import { placeOf } from "../data/place.ts";
import { SourcesPage } from "./sources-page.tsx";

export const sourcesTab: InspectorTab = {
  name: "Sources",
  icon: <Library />,
  segments: ["sources"],
  draw: (conversationId, { rest, search }) => {
    const place = placeOf(rest, search);
    return place?.tab === "sources" ? <SourcesPage conversationId={conversationId} sid={place.sid} /> : null;
  },
};
