/** `npm run check`: everything that is checked without running the code. A check that cannot run is a failure. */
import { runChecks } from "./check-steps.ts";
import { countSkipsAsFailures, reportTally } from "./tally.ts";

reportTally(countSkipsAsFailures(await runChecks()));
