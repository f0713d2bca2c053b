// How a person settles an ask, and an agent withdraws it or reports how a person settled it elsewhere.

import {
  type Ask,
  AsklineError,
  type DecisionSubmission,
  isRecord,
  type Report,
  type SettleOptions,
  type Submission,
} from "../../core/index.js";
import { noSuchAsk } from "../../core/model/error.js";
import { rememberedIn } from "../../core/rules/validate-decisions.js";
import type { Hub } from "../../hub/index.js";
import { sha256 } from "../../hub/seam/sha256.js";
import type { Principal } from "../access/principal.js";
import { IDEMPOTENCY_KEY, REPORT_SURFACE, SURFACE_HEADER } from "../http/parameters.js";
import { readFields, readKnown } from "../http/read-body.js";
import { json, type Reply } from "../http/reply.js";
import type { RequestHeaders } from "../http/request.js";
import type { Access, Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";
import { surfaceOf } from "../routing/read-query.js";
import { requireAskId, requireVisible } from "../routing/visible-asks.js";

const person: Access = { roles: ["person"], links: true, sessions: true };

/** Settles an ask with a request body; the hub checks all of it. */
export type End = (hub: Hub, id: string, body: unknown, options: SettleOptions) => Promise<Ask>;

type EndingName = "answer" | "decide" | "decline" | "reply";

const ENDINGS: Readonly<Record<EndingName, End>> = {
  answer: (hub, id, body, options) => hub.answer(id, body as Submission, options),
  decide: (hub, id, body, options) => hub.decide(id, body as DecisionSubmission, options),
  decline: (hub, id, body, options) =>
    hub.decline(id, fieldOf(body, "reason") as string | undefined, options),
  reply: (hub, id, body, options) => hub.reply(id, fieldOf(body, "text") as string, options),
};

const FIELDS: Readonly<Record<EndingName, readonly string[]>> = {
  answer: ["answers", "note"],
  decide: ["decisions", "note"],
  decline: ["reason"],
  reply: ["text"],
};

const ENDED: Operation["responses"] = {
  200: { description: "The settled ask.", schema: "AskResponse" },
};

const BY_PERSON = {
  parameters: [SURFACE_HEADER, IDEMPOTENCY_KEY],
  responses: ENDED,
  errors: ["not_found", "already_settled", "invalid_answer", "wrong_kind", "unsupported", "quota_exceeded"],
} as const;

const ABOUT: Readonly<Record<EndingName, Operation>> = {
  answer: {
    ...BY_PERSON,
    id: "answerAsk",
    summary: "Answer the questions of an ask",
    description: "Invalid answers change nothing: the ask stays pending, and the issues say why.",
    body: { schema: "AnswersInput" },
  },
  decide: {
    ...BY_PERSON,
    id: "decideAsk",
    summary: "Approve, edit or reject the actions of an ask",
    body: { schema: "DecisionsInput" },
  },
  decline: {
    ...BY_PERSON,
    id: "declineAsk",
    summary: "Decline an ask",
    body: { schema: "ReasonInput", optional: true },
  },
  reply: {
    ...BY_PERSON,
    id: "replyToAsk",
    summary: "Reply instead of answering",
    body: { schema: "ReplyInput" },
  },
};

const WITHDRAW: Operation = {
  id: "withdrawAsk",
  summary: "Withdraw an ask",
  body: { schema: "ReasonInput", optional: true },
  responses: ENDED,
  errors: ["not_found", "already_settled", "invalid_answer", "unsupported"],
};

const REPORT: Operation = {
  id: "reportAsk",
  summary: "Report how a person ended an ask in a form of the agent's own host",
  description:
    "Exactly one of answer, decide, decline and reply. The answerer is the person, with `via`, the name of the token. If the token may not report for the person, the ask ends as withdrawn instead.",
  parameters: [IDEMPOTENCY_KEY],
  body: { schema: "ReportInput" },
  responses: ENDED,
  errors: ["not_found", "already_settled", "invalid_answer", "wrong_kind", "unsupported"],
};

export const endingRoutes: readonly Route[] = [
  ...Object.entries(ENDINGS).map(([name, end]) => ({
    path: `/v1/asks/{id}/${name}`,
    methods: {
      POST: authorized(person, ABOUT[name as EndingName], async (call, principal) => {
        const id = await requireAnswerable(call, principal);
        const body = await readKnown(call, FIELDS[name as EndingName]);
        if (name === "decide") requireMayRemember(principal, body);
        return json(200, { ask: await settle(call, principal, id, end, body, surfaceOf(call, principal)) });
      }),
    },
  })),
  {
    path: "/v1/asks/{id}/withdraw",
    methods: {
      POST: authorized({ roles: ["agent"], sessions: true }, WITHDRAW, async (call, principal) => {
        const { id } = await requireVisible(call, principal);
        const body = await readKnown(call, FIELDS.decline);
        const reason = fieldOf(body, "reason") as string | undefined;
        return json(200, { ask: await call.services.hub.withdraw(id, reason) });
      }),
    },
  },
  {
    path: "/v1/asks/{id}/report",
    methods: { POST: authorized({ roles: ["agent"], admin: false, sessions: true }, REPORT, report) },
  },
];

const ANSWERED_ELSEWHERE = "answered elsewhere";

async function report(call: Call, principal: Principal): Promise<Reply> {
  const { role, name, reports = [] } = principal;
  if (role !== "agent") {
    throw new AsklineError("forbidden", "only the agent that asked may report for a person");
  }
  const { id } = await requireVisible(call, principal);
  const { person, surface, ...endings } = await readFields(call, ["person", "surface", ...REPORTED]);
  const [kind, other] = REPORTED.filter((each) => endings[each] !== undefined && endings[each] !== null);
  if (kind === undefined || other !== undefined || !isRecord(endings[kind])) {
    throw new AsklineError("invalid_request", `send exactly one of ${REPORTED.join(", ")}, as an object`);
  }
  if (surface !== undefined && typeof surface !== "string") {
    throw new AsklineError("invalid_request", "surface must be text");
  }
  const where = REPORT_SURFACE.read({ get: () => surface ?? null });
  const reported = person ?? (reports.length === 1 ? reports[0] : undefined);
  if (reported !== undefined && typeof reported !== "string") {
    throw new AsklineError("invalid_request", "person must be the id of a person");
  }
  if (reported === undefined && reports.length > 1) {
    throw new AsklineError("invalid_request", `name the person: one of ${reports.join(", ")}`);
  }
  const { hub } = call.services;
  if (reported === undefined || !reports.includes(reported)) {
    return json(200, { ask: await hub.withdraw(id, ANSWERED_ELSEWHERE) });
  }
  const settlementId = settlementIdOf(call.request.headers, principal, id);
  const options = { via: name, ...(settlementId !== undefined && { settlementId }) };
  const ending = { person: reported, surface: where, [kind]: endings[kind] } as unknown as Report;
  return json(200, { ask: await hub.report(id, ending, options) });
}

const REPORTED = ["answer", "decide", "decline", "reply"] as const satisfies readonly EndingName[];

/** The id of an ask that this person may see. The ask is read only for checks that the hub does not do itself. */
async function requireAnswerable(call: Call, principal: Principal): Promise<string> {
  const restricted = principal.sessions !== undefined || principal.askId !== undefined;
  return restricted ? (await requireVisible(call, principal)).id : requireAskId(call);
}

async function settle(
  call: Call,
  principal: Principal,
  id: string,
  end: End,
  body: unknown,
  surface: string,
): Promise<Ask> {
  const settlementId = settlementIdOf(call.request.headers, principal, id);
  const options = {
    by: { kind: "person" as const, id: principal.name, surface },
    ...(settlementId !== undefined && { settlementId }),
  };
  try {
    return await end(call.services.hub, id, body, options);
  } catch (error) {
    // The hub forbids asks that are addressed to others. To this person, such an ask does not exist.
    const unseen = error instanceof AsklineError && error.code === "forbidden" && principal.role === "person";
    throw unseen ? noSuchAsk(id) : error;
  }
}

/** A rule reaches beyond the one ask of a signed link, and `always` beyond the sessions of a token. */
function requireMayRemember({ askId, sessions }: Principal, body: unknown): void {
  const wanted = rememberedIn(body);
  if (askId !== undefined && wanted.length > 0) {
    throw new AsklineError("forbidden", "a signed link decides once; open your inbox to remember a decision");
  }
  if (sessions !== undefined && wanted.includes("always")) {
    throw new AsklineError("forbidden", "this token is for some sessions only; remember it for the session");
  }
}

/** The same key of another caller is another attempt. */
function settlementIdOf(headers: RequestHeaders, { role, name }: Principal, id: string): string | undefined {
  const key = IDEMPOTENCY_KEY.read(headers);
  if (key === undefined || key === "") return undefined;
  return `settlement_${sha256(JSON.stringify([role, name, id, key]), "base64url")}`;
}

function fieldOf(body: unknown, name: string): unknown {
  if (body === undefined) return undefined;
  if (isRecord(body)) return body[name];
  throw new AsklineError("invalid_request", `send a JSON object with ${name}`);
}
