// A button in a notification: the token in the path is the credential, and works once.

import { AsklineError, isAlreadySettled } from "../../core/model/error.js";
import { json, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";

const ACT: Operation = {
  id: "useAction",
  summary: "Settle an ask by the button of a notification",
  description: "The token is a part of the notification, and works once. A GET does nothing.",
  responses: { 200: { description: "The settled ask.", schema: "StatusResponse" } },
  errors: ["invalid_code", "not_found", "already_settled", "invalid_answer", "wrong_kind"],
};

export const actionRoutes: readonly Route[] = [
  { path: "/actions/{token}", methods: { POST: { about: ACT, handle: act } } },
];

async function act(call: Call): Promise<Reply> {
  const { auth, hub, rateLimits } = call.services;
  const token = call.param("token");
  const action = /^[\w-]{43}$/.test(token) ? await auth.findAction(token) : undefined;
  if (action === undefined) {
    rateLimits.failed(call.address);
    throw new AsklineError("invalid_code", "this button was used already, or has expired; open the question");
  }
  const { askId, person, surface, ending, settlementId } = action;
  try {
    const by = { kind: "person" as const, id: person, surface };
    await hub.settle(askId, ending, { by, settlementId });
  } catch (error) {
    if (isAlreadySettled(error)) await action.end();
    throw error;
  }
  await action.end();
  return json(200, { status: "settled" });
}
