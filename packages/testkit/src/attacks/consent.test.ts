/** Calls without consent on the embedded store. */
import { TurnBench } from "../turns/index.ts";
import { resistCalls } from "./consent.suite.ts";

resistCalls(TurnBench.open);
