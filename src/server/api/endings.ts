// How a person settles an ask, and an agent withdraws it or reports how a person settled it elsewhere.

import { isRecord } from "../../core/kit/json.js";
import { defined } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import {
  asEnding,
  ENDING_INPUTS,
  ENDING_TYPES,
  type Ending,
  type EndingType,
  endingFields,
} from "../../core/model/ending.js";
import { AsklineError, noSuchAsk } from "../../core/model/error.js";
import { isAlways } from "../../core/read/field.js";
import { rememberedIn } from "../../core/rules/validate-decisions.js";
import type { Principal } from "../access/principal.js";
import { IDEMPOTENCY_KEY, REPORT_SURFACE, SURFACE_HEADER } from "../http/parameters.js";
import { readFields, readKnown } from "../http/read-body.js";
import { json, type Reply } from "../http/reply.js";
import type { Access, Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";
import { attemptId, surfaceOf } from "../routing/read-query.js";
import { requireAskId, requireVisible } from "../routing/visible-asks.js";

const person: Access = { roles: ["person"], links: true, sessions: true };

const ENDED: Operation["responses"] = {
  200: { description: "The settled ask.", schema: "AskResponse" },
};

const BY_PERSON: Pick<Operation, "parameters" | "responses" | "errors"> = {
  parameters: [SURFACE_HEADER, IDEMPOTENCY_KEY],
  responses: ENDED,
  errors: ["not_found", "already_settled", "invalid_answer", "wrong_kind", "unsupported", "quota_exceeded"],
};

const ABOUT: Readonly<Record<EndingType, Pick<Operation, "id" | "summary" | "description">>> = {
  answer: {
    id: "answerAsk",
    summary: "Answer the questions of an ask",
    description: "Invalid answers change nothing: the ask stays pending, and the issues say why.",
  },
  decide: {
    id: "decideAsk",
    summary: "Approve, edit or reject the actions of an ask",
  },
  decline: {
    id: "declineAsk",
    summary: "Decline an ask",
  },
  reply: {
    id: "replyToAsk",
    summary: "Reply instead of answering",
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
  ...ENDING_TYPES.map(endingRoute),
  {
    path: "/v1/asks/{id}/withdraw",
    methods: {
      POST: authorized({ roles: ["agent"], sessions: true }, WITHDRAW, async (call, principal) => {
        const { id } = await requireVisible(call, principal);
        const body = await readKnown(call, ["reason"]);
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

/** A route that settles an ask; the hub checks all of the body. */
function endingRoute(type: EndingType): Route {
  const about: Operation = {
    ...BY_PERSON,
    ...ABOUT[type],
    body: {
      schema: ENDING_INPUTS[type],
      ...(!endingFields(type).some(([, field]) => isAlways(field)) && { optional: true }),
    },
  };
  return {
    path: `/v1/asks/{id}/${type}`,
    methods: {
      POST: authorized(person, about, async (call, principal) => {
        const id = await requireAnswerable(call, principal);
        const ending = await readEnding(call, type);
        requireMayRemember(principal, ending);
        return json(200, { ask: await settle(call, principal, id, ending) });
      }),
    },
  };
}

/** The body as an ending. A list that is missing or stands alone is for the hub to refuse, with its place. */
async function readEnding(call: Call, type: EndingType): Promise<Ending> {
  const fields = endingFields(type);
  const body = await readKnown(
    call,
    fields.map(([each]) => each),
  );
  const [[name, { kind }] = ["", { kind: "list" }]] = fields;
  return asEnding(type, isRecord(body) || kind === "list" ? body : { [name]: fieldOf(body, name) });
}

const ANSWERED_ELSEWHERE = "answered elsewhere";

async function report(call: Call, principal: Principal): Promise<Reply> {
  const { role, name, reports = [] } = principal;
  if (role !== "agent") {
    throw new AsklineError("forbidden", "only the agent that asked may report for a person");
  }
  const { id } = await requireVisible(call, principal);
  const { person, surface, ...endings } = await readFields(call, ["person", "surface", ...ENDING_TYPES]);
  const [kind, other] = ENDING_TYPES.filter((each) => endings[each] !== undefined && endings[each] !== null);
  if (kind === undefined || other !== undefined || !isRecord(endings[kind])) {
    throw new AsklineError("invalid_request", `send exactly one of ${ENDING_TYPES.join(", ")}, as an object`);
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
  const settlementId = attemptId(call, "settlement", [role, name, id]);
  const options = { person: reported, surface: where, via: name, ...defined({ settlementId }) };
  return json(200, { ask: await hub.report(id, asEnding(kind, endings[kind]), options) });
}

/** The id of an ask that this person may see. The ask is read only for checks that the hub does not do itself. */
async function requireAnswerable(call: Call, principal: Principal): Promise<string> {
  const restricted = principal.sessions !== undefined || principal.askId !== undefined;
  return restricted ? (await requireVisible(call, principal)).id : requireAskId(call);
}

async function settle(call: Call, principal: Principal, id: string, ending: Ending): Promise<Ask> {
  const surface = surfaceOf(call, principal);
  const settlementId = attemptId(call, "settlement", [principal.role, principal.name, id]);
  const by = { kind: "person" as const, id: principal.name, surface };
  try {
    return await call.services.hub.settle(id, ending, { by, ...defined({ settlementId }) });
  } catch (error) {
    // The hub forbids asks that are addressed to others. To this person, such an ask does not exist.
    const unseen = error instanceof AsklineError && error.code === "forbidden" && principal.role === "person";
    throw unseen ? noSuchAsk(id) : error;
  }
}

/** A rule reaches beyond the one ask of a signed link, and `always` beyond the sessions of a token. */
function requireMayRemember({ askId, sessions }: Principal, ending: unknown): void {
  const wanted = rememberedIn(ending);
  if (askId !== undefined && wanted.length > 0) {
    throw new AsklineError("forbidden", "a signed link decides once; open your inbox to remember a decision");
  }
  if (sessions !== undefined && wanted.includes("always")) {
    throw new AsklineError("forbidden", "this token is for some sessions only; remember it for the session");
  }
}

function fieldOf(body: unknown, name: string): unknown {
  if (body === undefined) return undefined;
  if (isRecord(body)) return body[name];
  throw new AsklineError("invalid_request", `send a JSON object with ${name}`);
}
