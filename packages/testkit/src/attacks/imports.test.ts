/** Hostile imports on the embedded store. */
import { TurnBench } from "../turns/index.ts";
import { resistImports } from "./imports.suite.ts";

resistImports(TurnBench.open);
