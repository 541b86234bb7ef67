/** Processes that keep a core busy each. They end when they are told to, and by themselves when their parent is gone. */
import { spawn } from "node:child_process";

const BUSY = `
  const parent = process.ppid;
  while (process.ppid === parent) for (let n = 0; n < 1e8; n++);
`;

export class BusyLoad implements Disposable {
  readonly #children;

  constructor(processes: number) {
    this.#children = Array.from({ length: processes }, () =>
      spawn(process.execPath, ["-e", BUSY], { stdio: "ignore" }).on("error", (error) => {
        console.error(`A process of the load could not be started: ${error.message}`);
      }),
    );
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill("SIGKILL");
  }
}
