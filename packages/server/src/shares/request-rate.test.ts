import { expect, it } from "vitest";
import { RequestRate } from "./request-rate.ts";

const scope = (tenant: string, user = "u") => ({ tenant, project: "p", user });

function rateOf(user: number, tenant: number) {
  const clock = { now: 0 };
  const rate = new RequestRate({ user, tenant }, () => clock.now);
  const send = (owner = scope("a")) => {
    try {
      rate.note(owner);
      return "taken";
    } catch (error) {
      return Object(error).details;
    }
  };
  const burst = (owner = scope("a")) => {
    for (let taken = 0; ; taken++) if (send(owner) !== "taken") return taken;
  };
  const upload = (bytes: number, owner = scope("a")) => rate.noteBytes(owner, bytes);
  return { clock, send, burst, upload };
}

it("a user may send three seconds' worth of requests at once, and then as many a second as are allowed", () => {
  const { clock, send, burst } = rateOf(2, 100);
  expect(burst()).toBe(6);
  expect(send()).toEqual({ limit: "requests", of: "user", allowed: 2, held: 2, retry_after: 1 });
  clock.now += 500;
  expect([send(), send()]).toEqual(["taken", expect.anything()]);
  clock.now += 3_600_000;
  expect(burst()).toBe(6);
});

it("a user's flood takes nothing from other tenants, and no more from colleagues than the tenant's limit", () => {
  const { send, burst } = rateOf(2, 3);
  expect(burst()).toBe(6);
  expect(burst(scope("b"))).toBe(6);
  expect(burst(scope("a", "colleague"))).toBe(3);
  expect(send(scope("a", "other"))).toMatchObject({ of: "tenant", allowed: 3 });
});

it("refused requests do not delay the next allowed one", () => {
  const { clock, send, burst } = rateOf(1, 100);
  burst();
  for (let nth = 0; nth < 1_000; nth++) send();
  clock.now += 1_000;
  expect(send()).toBe("taken");
});

it("each megabyte of a body counts as a request", () => {
  const { clock, send, upload } = rateOf(2, 100);
  upload(10_000_000);
  expect(send()).toMatchObject({ limit: "requests", of: "user", retry_after: 3 });
  clock.now += 3_000;
  expect(send()).toBe("taken");
  expect(send(scope("b"))).toBe("taken");
});
