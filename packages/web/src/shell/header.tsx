/** The line above the open conversation: its title, its actions, and the settings of the page. */
import { exportConversation } from "@cairn/api";
import {
  Bell,
  Ellipsis,
  FileDown,
  FileText,
  Keyboard,
  Link as LinkIcon,
  ListChecks,
  Microscope,
  Monitor,
  Moon,
  PanelLeft,
  PencilLine,
  Plug,
  Printer,
  Sun,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import { serverAddress } from "../api/address.ts";
import { RenameDialog } from "../conversations/name-dialog.tsx";
import { OrdersDialog } from "../conversations/orders-dialog.tsx";
import { McpDialog } from "../mcp/mcp-dialog.tsx";
import { addressOf } from "../route/location.ts";
import type { Route } from "../route/route.ts";
import { tell, useApp } from "../state/app-state.ts";
import { useChosenModel } from "../state/chosen-model.ts";
import { useMayInspect } from "../state/may-inspect.ts";
import { printConversation } from "../state/print-conversation.ts";
import { remove } from "../state/remove-conversation.ts";
import { showTurns } from "../text/shown-directions.ts";
import { setTheme, THEMES, useTheme } from "../theme/theme.ts";
import { IconButton } from "../ui/button.tsx";
import { copyText } from "../ui/copy-text.ts";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { SHORTCUTS } from "../ui/shortcuts.ts";
import { saveFile } from "../ui/stored-bytes.tsx";
import { toggleInspector } from "./toggle-inspector.ts";

export interface HeaderProps {
  readonly route: Route;
  readonly onToggleSidebar: () => void;
  readonly onHelp: () => void;
}

export function Header({ route, onToggleSidebar, onHelp }: HeaderProps) {
  const title = useApp((state) => state.session?.view.title ?? null);
  const isReady = useApp((state) => state.session?.phase === "ready");
  const mayInspect = useMayInspect();
  const conversationId = "conversationId" in route ? route.conversationId : null;
  return (
    <header className="print:hidden flex h-14 shrink-0 items-center gap-1 border-b border-line px-2.5">
      <IconButton label="Conversations" shortcut={SHORTCUTS.sidebar.keys} onClick={onToggleSidebar}>
        <PanelLeft />
      </IconButton>
      <h1 dir="auto" className="min-w-0 flex-1 truncate px-1.5 text-left text-base font-semibold tracking-tight">
        {conversationId === null ? (
          <span className="sr-only">New conversation</span>
        ) : !isReady ? (
          <span className="sr-only">Conversation</span>
        ) : title === null || title === "" ? (
          "Untitled"
        ) : (
          showTurns(title)
        )}
      </h1>
      <ModelName />
      {conversationId === null || !isReady ? null : (
        <>
          {mayInspect || route.page === "inspect" ? (
            <IconButton
              label="Inspector"
              shortcut={SHORTCUTS.inspect.keys}
              aria-pressed={route.page === "inspect"}
              onClick={() => toggleInspector(route)}
            >
              <Microscope />
            </IconButton>
          ) : null}
          <ConversationMenu conversationId={conversationId} title={title} />
        </>
      )}
      <McpButton />
      <ThemeButton />
      <IconButton label="Shortcuts" shortcut={SHORTCUTS.help.keys} className="max-sm:hidden" onClick={onHelp}>
        <Keyboard />
      </IconButton>
    </header>
  );
}

/** Shown only if MCP servers are configured. */
function McpButton() {
  const count = useApp((state) => state.meta?.mcp_servers ?? 0);
  const [isOpen, setOpen] = useState(false);
  if (count === 0) return null;
  return (
    <>
      <IconButton label="MCP servers" onClick={() => setOpen(true)}>
        <Plug />
      </IconButton>
      {isOpen ? <McpDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function ModelName() {
  const meta = useApp((state) => state.meta);
  const agent = useApp((state) => state.session?.conversation?.agent ?? null);
  const chosen = useChosenModel();
  const used = meta?.agents.find(({ name }) => name === agent) ?? meta?.agents[0];
  if (used === undefined) return null;
  const named = chosen !== null && meta?.models.includes(chosen) === true ? chosen : used.model;
  return <span className="hidden truncate px-2 font-mono text-xs text-faint md:block">{named}</span>;
}

function ConversationMenu({
  conversationId,
  title,
}: {
  readonly conversationId: string;
  readonly title: string | null;
}) {
  const [dialog, setDialog] = useState<"rename" | "orders" | null>(null);
  const mayInspect = useMayInspect();
  const conversation = { conversation_id: conversationId, title };
  const copyAddress = async () => {
    if (await copyText(addressOf({ page: "chat", conversationId }))) tell("done", "The address is copied.");
  };
  const save = async (format: "md" | "html") =>
    (await import("../save/save-conversation.tsx")).saveConversation(conversationId, format);
  return (
    <>
      <Menu
        trigger={
          <IconButton label="More">
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem icon={<PencilLine />} onSelect={() => setDialog("rename")}>
          Rename
        </MenuItem>
        <MenuItem icon={<ListChecks />} onSelect={() => setDialog("orders")}>
          Standing orders
        </MenuItem>
        <MenuItem icon={<LinkIcon />} onSelect={() => void copyAddress()}>
          Copy the address
        </MenuItem>
        {mayInspect ? (
          <MenuItem
            icon={<FileDown />}
            onSelect={() =>
              void saveFile(serverAddress(exportConversation, { id: conversationId }), `${conversationId}.cairn`)
            }
          >
            Export
          </MenuItem>
        ) : null}
        <MenuItem icon={<FileText />} onSelect={() => void save("md")}>
          Save as Markdown
        </MenuItem>
        <MenuItem icon={<FileText />} onSelect={() => void save("html")}>
          Save as HTML
        </MenuItem>
        {globalThis.Notification?.permission === "default" ? (
          <MenuItem icon={<Bell />} onSelect={() => void Notification.requestPermission()}>
            Notify me of answers
          </MenuItem>
        ) : null}
        <MenuItem icon={<Printer />} onSelect={() => void printConversation(conversationId)}>
          Print
        </MenuItem>
        <MenuItem icon={<Trash2 />} look="danger" onSelect={() => remove(conversationId)}>
          Delete
        </MenuItem>
      </Menu>
      {dialog === "rename" ? <RenameDialog conversation={conversation} onClose={() => setDialog(null)} /> : null}
      {dialog === "orders" ? <OrdersDialog conversationId={conversationId} onClose={() => setDialog(null)} /> : null}
    </>
  );
}

const THEME_LOOKS = {
  system: { icon: <Monitor />, name: "Same as the system" },
  light: { icon: <Sun />, name: "Light" },
  dark: { icon: <Moon />, name: "Dark" },
} as const;

function ThemeButton() {
  const theme = useTheme();
  return (
    <Menu trigger={<IconButton label={`Theme: ${THEME_LOOKS[theme].name}`}>{THEME_LOOKS[theme].icon}</IconButton>}>
      {THEMES.map((each) => (
        <MenuItem key={each} icon={THEME_LOOKS[each].icon} onSelect={() => setTheme(each)}>
          {THEME_LOOKS[each].name}
        </MenuItem>
      ))}
    </Menu>
  );
}
