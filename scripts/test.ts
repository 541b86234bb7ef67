/**
 * `npm test`: installs PostgreSQL, the programs that check the code and, if it has the permission, the system's
 * programs that tests use; then runs every test, and the checks beside them, and prints one closing line with the
 * counts.
 *
 * `--quick` installs only the programs that check the code and runs the unit tests alone, each property 40 times.
 * `--long` tries each property 100,000 times. `--coverage` also counts what ran, for which a hot loop takes ten times
 * as long. Other arguments go to vitest and select tests. The checks, which concern the whole project, are then left
 * out. With CAIRN_REQUIRE_ALL=1 a skipped test is a failure.
 */
import { installCheckers } from "@cairn/testkit/checkers";
import { installPostgres } from "@cairn/testkit/postgres";
import { runChecks } from "./check-steps.ts";
import { runTests } from "./run-tests.ts";
import { installSystemPackages } from "./system-packages.ts";
import { addTallies, countSkipsAsFailures, reportTally } from "./tally.ts";

const args = process.argv.slice(2);
const OWN = ["--quick", "--long", "--coverage"];
const vitestArgs = args.filter((arg) => !OWN.includes(arg));
const everything = vitestArgs.length === 0;
const isLong = args.includes("--long") || process.env.CAIRN_LONG === "1";
const size = args.includes("--quick") ? "quick" : isLong ? "long" : "usual";

if (size !== "quick") installPostgres();
installCheckers();
const notes = everything && size !== "quick" ? installSystemPackages() : [];
// The checks run beside the tests, which leave processors idle while they wait for servers and browsers.
const checking = everything ? runChecks(size === "quick") : { passed: 0, failures: [], skips: [] };
const tests = await runTests({ vitestArgs, size, coverage: args.includes("--coverage") });
const tally = addTallies(await checking, tests);
reportTally(process.env.CAIRN_REQUIRE_ALL === "1" ? countSkipsAsFailures(tally) : tally, notes);
