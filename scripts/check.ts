/** `npm run check`: everything that is checked without running the code. */
import { runChecks } from "./check-steps.ts";
import { reportTally } from "./tally.ts";

reportTally(await runChecks());
