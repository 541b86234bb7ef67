/** The endpoint that streams one turn in the same parts as a run of the library. */
import * as api from "@cairn/api";
import { findPlace, type PartData, PartWriter } from "cairn-agent/turns";
import { openTurnStream, STREAM_HEADERS, type TurnForm } from "../../chat/turn-stream.ts";
import { type App, endpoint, keyOf } from "../endpoint.ts";
import type { ServerParts } from "./server-parts.ts";

interface Stopped {
  readonly type: "stopped";
  readonly message: string;
}

const FORM: TurnForm<PartData | Stopped> = {
  writer: (turn) => new PartWriter(turn),
  stopped: {
    type: "stopped",
    message: "The server cannot stream this turn any further right now. The turn continues; request its parts again.",
  },
  done: "",
};

export function turnPartRoutes(app: App, parts: ServerParts): void {
  endpoint(app, api.followTurn, async (context, { params }) => {
    const key = keyOf(context, params);
    const place = await findPlace(parts.store, key, params.turn);
    const { isAllowed, cutOff } = context.var;
    return new Response(await openTurnStream(parts, key, FORM, { ...place, isAllowed, cutOff }), {
      headers: STREAM_HEADERS,
    });
  });
}
