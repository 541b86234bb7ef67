/** Every command by its name, in the order of the list. A command's code is loaded when it runs, for a fast start. */
import type { Command } from "./command/command.ts";

export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve/serve.ts")).serve,
  worker: async () => (await import("./serve/worker.ts")).worker,
  token: async () => (await import("./serve/token.ts")).token,
  chat: async () => (await import("./chat/chat.ts")).chat,
  mcp: async () => (await import("./mcp/mcp.ts")).mcp,
  list: async () => (await import("./inspect/list.ts")).list,
  show: async () => (await import("./inspect/show.ts")).show,
  render: async () => (await import("./inspect/render.ts")).render,
  read: async () => (await import("./inspect/read.ts")).read,
  orders: async () => (await import("./keep/orders.ts")).orders,
  export: async () => (await import("./keep/export.ts")).exportCommand,
  import: async () => (await import("./keep/import.ts")).importCommand,
  fork: async () => (await import("./keep/fork.ts")).fork,
  delete: async () => (await import("./keep/delete.ts")).deleteCommand,
  quarantine: async () => (await import("./keep/quarantine.ts")).quarantine,
  retention: async () => (await import("./keep/retention.ts")).retention,
  "delete-tenant": async () => (await import("./keep/retention.ts")).deleteTenant,
  backup: async () => (await import("./keep/backup.ts")).backup,
  "migrate-store": async () => (await import("./keep/migrate-store.ts")).migrateStore,
  gc: async () => (await import("./keep/gc.ts")).gc,
  doctor: async () => (await import("./doctor/doctor.ts")).doctor,
};
