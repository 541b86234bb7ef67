/** A provider that answers every request at once, in a process of its own. Tells its parent where it listens. */
import { ModelSimulator } from "@cairn/testkit/models";

const simulator = await ModelSimulator.start({ countTokens: (text) => Math.ceil(text.length / 4) });
simulator.script([{ reply: { text: "Hello to you, too." }, times: Number.POSITIVE_INFINITY }]);
process.send?.({ address: simulator.baseUrl });
