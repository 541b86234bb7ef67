/**
 * The program that the conformance suite starts for each scenario. The program passes the scenario on to the client
 * under test, which runs in the process of the test (`suite-client.ts`), and fails if the client fails. Loading the
 * product for every scenario would take most of the time of a run.
 */
import { connect } from "node:net";

const [port, url] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = "{}" } = process.env;
const socket = connect(Number(port), "127.0.0.1");
socket.end(JSON.stringify({ url, scenario, context: JSON.parse(context) }));
let answer = "";
socket.setEncoding("utf8");
for await (const chunk of socket) answer += chunk;
const { error } = JSON.parse(answer);
if (error !== null) {
  process.stderr.write(`${error}\n`);
  process.exitCode = 1;
}
