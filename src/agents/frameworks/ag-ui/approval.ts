// The response to an interrupt that asks for the approval of a tool call, as AG-UI recommends it:
//
//   { approved: true }   { approved: true, editedArgs }   { approved: false, reason? }

import { isBlank } from "../../../core/kit/fold.js";
import type { Issue } from "../../../core/kit/issue.js";
import { isRecord, type JsonObject } from "../../../core/kit/json.js";
import type { Decision } from "../../../core/model/approval.js";
import type { Ask } from "../../../core/model/ask.js";
import type { Answerer } from "../../../core/model/outcome.js";
import { typeName } from "../../../core/read/input-reader.js";
import type { DecodedOutcome } from "../../shapes/dialect.js";
import { decidedOutcome, unknownKeys } from "../../shapes/shared.js";

export const APPROVAL_SCHEMA: Readonly<Record<string, unknown>> & { readonly properties: object } = {
  type: "object",
  properties: {
    approved: { type: "boolean", title: "Approve" },
    editedArgs: {
      type: "object",
      description: "Other arguments to run with: all of them, not only the changed ones.",
    },
    reason: { type: "string", description: "If it is not approved: why, or what to do instead." },
  },
  required: ["approved"],
};

/** Whether a schema asks for nothing but an approval. */
export function isApprovalSchema(schema: Readonly<Record<string, unknown>>): boolean {
  const { properties, required } = schema;
  const { approved } = isRecord(properties) ? properties : {};
  const others = Array.isArray(required) ? required.filter((name) => name !== "approved") : [];
  return isRecord(approved) && approved.type === "boolean" && others.length === 0;
}

/** Whether the schema of an approval has this property, such as `editedArgs`. */
export function offers(schema: Readonly<Record<string, unknown>> | undefined, name: string): boolean {
  return isRecord(schema?.properties) && isRecord(schema.properties[name]);
}

export function approvalPayload(
  decision: Decision | undefined,
  schema: Readonly<Record<string, unknown>> | undefined,
): JsonObject {
  if (decision?.kind === "approve") return { approved: true };
  if (decision?.kind === "edit") return { approved: true, editedArgs: decision.args };
  const message = decision?.kind === "reject" ? decision.message : undefined;
  return { approved: false, ...(message !== undefined && offers(schema, "reason") && { reason: message }) };
}

/** Reads a response from outside, and checks it against the ask. */
export function readApproval(ask: Ask, payload: unknown, by: Answerer): DecodedOutcome {
  const refuse = (code: Issue["code"], path: Issue["path"], message: string): DecodedOutcome => ({
    ok: false,
    issues: [{ code, path: ["payload", ...path], message }],
  });
  if (!isRecord(payload)) {
    return refuse("wrong_type", [], `must be an object with approved, not ${typeName(payload)}`);
  }
  const [unknown] = unknownKeys(payload, Object.keys(APPROVAL_SCHEMA.properties));
  if (unknown !== undefined) return refuse("invalid_value", [unknown], "is not a field of an approval");
  const { approved, editedArgs, reason } = payload;
  if (typeof approved !== "boolean") {
    return refuse("wrong_type", ["approved"], `must be true or false, not ${typeName(approved)}`);
  }
  if (!approved && editedArgs !== undefined) {
    return refuse("conflict", ["editedArgs"], "must be omitted if approved is false");
  }
  const action = ask.approval?.actions[0]?.id ?? "";
  const blank = typeof reason === "string" && isBlank(reason);
  const decision = approved
    ? editedArgs === undefined
      ? { action, kind: "approve" }
      : { action, kind: "edit", args: editedArgs }
    : { action, kind: "reject", ...(reason !== undefined && !blank && { message: reason }) };
  // What was written beside an approval is kept as a note.
  const note = approved && reason !== undefined && !blank ? { note: reason } : {};
  return decidedOutcome(ask, { decisions: [decision], ...note }, by);
}
