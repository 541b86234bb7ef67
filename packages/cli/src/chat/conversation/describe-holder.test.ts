import { hostname } from "node:os";
import { expect, it } from "vitest";
import { describeHolder } from "./describe-holder.ts";

it.each([
  [`${hostname()}:${process.pid}`, { who: `process ${process.pid}`, isGone: false }],
  [`${hostname()}:1`, { who: "process 1", isGone: false }],
  ["elsewhere:12", { who: "process 12 on elsewhere", isGone: false }],
  ["worker", { who: "another process", isGone: false }],
  [undefined, { who: "another process", isGone: false }],
])("%s is %j", (holder, described) => {
  expect(describeHolder(holder)).toEqual(described);
});

it("a process of this machine that no longer runs is reported as dead", () => {
  expect(describeHolder(`${hostname()}:77`, () => false)).toEqual({ who: "process 77", isGone: true });
});
