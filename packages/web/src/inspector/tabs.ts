/** The tabs of the inspector, in their order. The first tab is the default. A new tab needs a file, and a line here. */
import { blocksTab } from "./blocks/blocks-tab.tsx";
import type { InspectorTab } from "./data/inspector-tab.ts";
import { filesTab } from "./files/files-tab.tsx";
import { requestsTab } from "./requests/requests-tab.tsx";
import { sourcesTab } from "./sources/sources-tab.tsx";

export const TABS: readonly [InspectorTab, ...InspectorTab[]] = [requestsTab, blocksTab, sourcesTab, filesTab];
