import { Hono } from "hono";
import { expect, it } from "vitest";
import { RequestRate } from "../shares/request-rate.ts";
import type { ServerEnvironment } from "./environment.ts";
import { limitRequests } from "./limit-requests.ts";
import { problemResponse } from "./problem.ts";

it("256 rejections of a user are sent after a pause, and all further ones at once", async () => {
  const app = new Hono<ServerEnvironment>();
  app.use(async (context, next) => {
    context.set("scope", { tenant: "t", project: "p", user: context.req.path });
    await next();
  });
  // The rate allows the requests of three seconds at once, so three requests pass. The clock stands still.
  const limit = limitRequests(new RequestRate({ user: 1, tenant: 1_000 }, () => 0));
  app.use(async (context, next) => {
    const release = await limit(context);
    await next();
    release();
  });
  app.all("*", (context) => context.text("served"));
  app.onError((error) => problemResponse(error, "id"));
  const answered: number[] = [];
  const statuses = await Promise.all(
    Array.from({ length: 3 + 256 + 40 }, async (_, nth) => {
      const { status } = await app.request("/hostile");
      answered.push(nth);
      // None of the pauses is over yet.
      if (answered.length === 43) expect((await app.request("/polite")).status).toBe(200);
      return status;
    }),
  );
  expect(statuses).toEqual(statuses.map((_, nth) => (nth < 3 ? 200 : 429)));
  const beyond = Array.from({ length: 40 }, (_, nth) => 3 + 256 + nth);
  expect(new Set(answered.slice(0, 43))).toEqual(new Set([0, 1, 2, ...beyond]));
});
