/** An application with an agent for each model. Their providers are simulated and always answer. */
import { ModelSimulator, simulatorEnv } from "@cairn/testkit/models";
import { agent } from "../src/define/agent.ts";
import { createLog } from "../src/telemetry/log.ts";
import { Application } from "./open-application.ts";

export class ProviderAgents implements AsyncDisposable {
  readonly simulator: ModelSimulator;
  readonly app: Application;

  private constructor(simulator: ModelSimulator, app: Application) {
    this.simulator = simulator;
    this.app = app;
  }

  /** Each agent has the name of its model. */
  static async open(models: readonly string[]): Promise<ProviderAgents> {
    const simulator = await ModelSimulator.start({ countTokens: (text) => Math.ceil(text.length / 4) });
    simulator.script([{ reply: { text: "Going on." }, times: Number.POSITIVE_INFINITY }]);
    const agents = models.map((model) => agent({ name: model, model, instructions: "Help." }));
    const env = simulatorEnv(simulator.baseUrl);
    // The warnings about unsupported keywords are ignored, because other tests check them.
    const log = createLog(process.stderr, Date.now, "error");
    return new ProviderAgents(simulator, await Application.open(agents, { env, log }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]();
    await this.simulator.close();
  }
}
