/** The tab of the requests that were sent to models. */
import { ListTree } from "lucide-react";
import type { InspectorTab } from "../data/inspector-tab.ts";
import { placeOf } from "../data/place.ts";
import { RequestsPage } from "./requests-page.tsx";

export const requestsTab: InspectorTab = {
  name: "Requests",
  icon: <ListTree />,
  segments: ["requests"],
  draw: (conversationId, { rest, search }) => {
    const place = placeOf(rest, search);
    if (place?.tab !== "requests") return null;
    return <RequestsPage conversationId={conversationId} n={place.n} compareWith={place.compareWith} />;
  },
};
