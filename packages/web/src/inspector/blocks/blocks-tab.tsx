/** The tab of the blocks, and of content by its path. */
import { Boxes } from "lucide-react";
import type { InspectorTab } from "../data/inspector-tab.ts";
import { placeOf } from "../data/place.ts";
import { BlocksPage } from "./blocks-page.tsx";
import { PathPage } from "./path-page.tsx";

export const blocksTab: InspectorTab = {
  name: "Blocks",
  icon: <Boxes />,
  segments: ["blocks", "path"],
  draw: (conversationId, { rest, search }) => {
    const place = placeOf(rest, search);
    if (place?.tab === "path") return <PathPage conversationId={conversationId} path={place.path} />;
    if (place?.tab !== "blocks") return null;
    return <BlocksPage conversationId={conversationId} position={place.position} filters={place.filters} />;
  },
};
