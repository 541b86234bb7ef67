import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { listenForRedirect } from "./redirect-listener.ts";

it("only the redirect of this login ends the listening: other requests, also malformed ones, get 404", async () => {
  await using redirect = await listenForRedirect(0);
  const received = redirect.receive("mine");
  const get = async (target: string) => {
    const socket = connect(Number(new URL(redirect.url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.write(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
    return Number((await text(socket)).split(" ")[1]);
  };
  for (const target of ["//", "/", "/callback?code=a&state=other", "/callback?error=denied", "/callback?state=mine"])
    expect(await get(target)).toBe(404);
  expect(await get("/callback?code=b&state=mine")).toBe(200);
  expect((await received).get("code")).toBe("b");
});
