/** The tab of the files of a conversation. */
import { FolderOpen } from "lucide-react";
import type { InspectorTab } from "../data/inspector-tab.ts";
import { placeOf } from "../data/place.ts";
import { FilesPage } from "./files-page.tsx";

export const filesTab: InspectorTab = {
  name: "Files",
  icon: <FolderOpen />,
  segments: ["files"],
  draw: (conversationId, { rest, search }) => {
    const place = placeOf(rest, search);
    if (place?.tab !== "files") return null;
    return <FilesPage conversationId={conversationId} path={place.path} version={place.version} />;
  },
};
