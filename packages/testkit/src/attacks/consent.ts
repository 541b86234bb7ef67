/**
 * Attempts to run a tool without a person's approval of exactly the call that runs. Each attempt begins with calls of
 * the model; then a person answers, or gives no answer.
 */
import { answerApproval } from "@cairn/agent";
import type { ConversationKey } from "@cairn/store";
import type { EventBody, JsonObject } from "@cairn/timeline";

type AskedConsent = EventBody<"approval.requested">;
type GivenConsent = EventBody<"approval.given">;

interface ModelCall {
  readonly name: string;
  readonly input: JsonObject;
}

export interface ConsentAttack {
  readonly name: string;
  /** The calls of each decision; the model then says that it is done. */
  readonly decisions: readonly (readonly ModelCall[])[];
  /** An answer that is sent before the turn begins, with the id that the first call of the turn will have. */
  readonly before?: (callId: string) => GivenConsent;
  readonly answers?: (asked: readonly AskedConsent[], key: ConversationKey) => readonly GivenConsent[];
  /** Whether the turn is cancelled before the answers arrive. */
  readonly isCancelled?: true;
  /** Calls that may run anyway, because a person approved them. */
  readonly agreed?: readonly string[];
}

const TS = "2026-02-09T10:00:01Z";
const order = (what: string, name = "shop__order"): ModelCall => ({ name, input: { what } });
const yes = (key: ConversationKey, asked: AskedConsent, remember = false) =>
  answerApproval(key, asked, { approve: true, remember, ts: TS });
const no = (key: ConversationKey, asked: AskedConsent) => answerApproval(key, asked, { approve: false, ts: TS });

/** An answer that is correct except for one field. */
const altered =
  (change: (given: GivenConsent) => Partial<GivenConsent>) =>
  (asked: readonly AskedConsent[], key: ConversationKey): readonly GivenConsent[] =>
    asked.map((each) => ({ ...yes(key, each), ...change(yes(key, each)) }));

const CAR = [[order("car")]];

export const CONSENT_ATTACKS: readonly ConsentAttack[] = [
  { name: "nobody answers", decisions: CAR },
  {
    name: "an answer that came before the question",
    decisions: CAR,
    before: (call_id) => ({ key: "early", call_id, approve: true, ts: TS }),
  },
  { name: "a hash in capitals", decisions: CAR, answers: altered(({ hash }) => ({ hash: hash?.toUpperCase() ?? "" })) },
  { name: "a hash with a blank", decisions: CAR, answers: altered(({ hash }) => ({ hash: `${hash} ` })) },
  {
    name: "the beginning of a hash",
    decisions: CAR,
    answers: altered(({ hash }) => ({ hash: hash?.slice(0, 32) ?? "" })),
  },
  {
    name: "other parameters without a hash of their own",
    decisions: CAR,
    answers: altered(() => ({ params: { what: "plane" } })),
  },
  {
    name: "other parameters with the hash of those that were shown",
    decisions: CAR,
    answers: altered(({ hash }) => ({ params: { what: "plane" }, params_hash: hash ?? "" })),
  },
  { name: "an empty hash", decisions: CAR, answers: altered(() => ({ hash: "" })) },
  { name: "the name of a prototype as a hash", decisions: CAR, answers: altered(() => ({ hash: "__proto__" })) },
  {
    name: "the id of the call in capitals",
    decisions: CAR,
    answers: altered(({ call_id }) => ({ call_id: call_id.toUpperCase() })),
  },
  {
    name: "the id of the call with a blank",
    decisions: CAR,
    answers: altered(({ call_id }) => ({ call_id: `${call_id} ` })),
  },
  {
    name: "a permission for the tool with a wrong hash",
    decisions: CAR,
    answers: (asked, key) => asked.map((each) => ({ ...yes(key, each, true), hash: "0".repeat(64) })),
  },
  {
    name: "a yes after a no",
    decisions: CAR,
    answers: (asked, key) => asked.flatMap((each) => [no(key, each), { ...yes(key, each), key: "second" }]),
  },
  {
    name: "a no that allows the tool for good, and the same call again",
    decisions: [[order("car")], [order("car")]],
    answers: (asked, key) => asked.map((each) => ({ ...yes(key, each, true), approve: false })),
  },
  {
    name: "a yes to a turn that was cancelled",
    decisions: CAR,
    isCancelled: true,
    answers: (asked, key) => asked.map((each) => yes(key, each)),
  },
  {
    name: "a yes to a call of an earlier decision",
    decisions: [[order("car")], [order("boat")]],
    answers: (asked, key) => asked.slice(0, 1).map((each) => yes(key, each)),
    agreed: ["car"],
  },
  {
    name: "a permission for another tool whose name begins alike",
    decisions: [[order("bike", "shop__order_small")], [order("car")]],
    answers: (asked, key) => asked.slice(0, 1).map((each) => yes(key, each, true)),
    agreed: ["bike"],
  },
  {
    name: "a yes to one of two calls that differ in a blank that cannot be seen",
    decisions: [[order("bike"), order("bike\u200b")]],
    answers: (asked, key) =>
      asked.filter(({ params }) => JSON.stringify(params) === '{"what":"bike"}').map((each) => yes(key, each)),
    agreed: ["bike"],
  },
];
