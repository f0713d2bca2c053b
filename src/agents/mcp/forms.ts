// The client's own form as a surface (elicitation). The agent's process reports what the person answered there.
//
//   2025 clients: the form is a request to the client while the call waits; the first answer closes the other
//   2026-07-28:   the call returns `input_required`, and the client calls again with what the person answered
//
//   shown --accept, valid----> reported, ended        --accept, invalid--> shown again, with what is wrong
//         --decline----------> reported as declined   --cancel-----------> withdrawn; in a race, the inbox goes on

import { inputRequired, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Issue } from "../../core/kit/issue.js";
import type { Ask } from "../../core/model/ask.js";
import { endingOf } from "../../core/model/ending.js";
import type { Outcome } from "../../core/model/outcome.js";
import { ELSEWHERE, reportThere, withdrawAsk } from "../relay/port.js";
import type { ElicitationInput, ElicitationRevision } from "../shapes/elicitation/shape.js";
import { elicitation } from "../shapes/elicitation.js";
import type { CallOptions, ToolCall } from "./calls.js";
import type { CallResult } from "./results.js";

/** How a form is shown at the client that calls. */
export type ClientForm =
  | {
      readonly revision: "2025-06-18" | "2025-11-25";
      /** Shows it, and resolves with what the client returns. An abort closes it. */
      show(form: ElicitationInput, signal: AbortSignal): Promise<unknown>;
    }
  | {
      readonly revision: "2026-07-28";
      /** What the client returned with this call, and our state with it. */
      readonly returned?: { readonly response: unknown; readonly state: unknown };
    };

const FORM_SURFACE = "mcp-form";
const FORM_KEY = "form";
const MOST_ATTEMPTS = 5;

/** Whether this call is answered in the client's form. Approvals only if the client is trusted with them. */
export function usesForm(call: ToolCall, { elicit, trustClient }: CallOptions): boolean {
  if (elicit === "no" || call.form === undefined) return false;
  return call.name === "ask_user_question" || (trustClient && call.name === "ask_approval");
}

type FormEnd =
  | { readonly ended: Ask }
  | { readonly issues: readonly Issue[] }
  /** The person has closed the form without an answer. */
  | "dismissed";

async function readForm(ask: Ask, response: unknown, call: ToolCall, options: CallOptions): Promise<FormEnd> {
  const via = call.client ?? "an MCP client";
  const by = { kind: "person" as const, id: options.person ?? "client-user", surface: FORM_SURFACE, via };
  const decoded = elicitation.decodeOutcome(ask, response, { by });
  if (!decoded.ok) return { issues: decoded.issues };
  if (decoded.outcome.kind === "withdrawn") return "dismissed";
  return { ended: await reportOutcome(ask, decoded.outcome, FORM_SURFACE, options) };
}

/**
 * Reports what a person answered in the client. The stored outcome may be another: somebody else was faster, or, if the
 * token may not report, `withdrawn`. In the latter case the agent still gets the answer, because its client has it.
 */
export async function reportOutcome(
  ask: Ask,
  given: Outcome,
  surface: string,
  { port, person }: Pick<CallOptions, "port" | "person">,
): Promise<Ask> {
  const ending = endingOf(given);
  const stored = await (ending === undefined
    ? withdrawAsk(port, ask, ELSEWHERE)
    : reportThere(port, ask, ending, { surface, person, via: "mcp" }));
  const isOurs = stored.kind === "withdrawn" && stored.reason === ELSEWHERE;
  const outcome = isOurs ? given : stored;
  return { ...ask, status: outcome.kind, outcome };
}

/** Nobody has answered in the form: with an inbox the ask stays pending, otherwise nobody can answer it any more. */
async function afterForm(
  ask: Ask,
  reason: string,
  { elicit, hasInbox, port }: CallOptions,
  dismissed: boolean,
) {
  if (hasInbox && !(dismissed && elicit === "only")) return undefined;
  const outcome = await withdrawAsk(port, ask, reason);
  return { ...ask, status: outcome.kind, outcome };
}

const DISMISSED = "the person closed the form without an answer";
const GIVEN_UP = "the client's form gave no valid answer";

/**
 * For 2025 clients: the outcome from the form or from another surface, whichever is first. `inboxOnly` is called when
 * only the other surfaces are left.
 */
export async function outcomeWithForm(
  ask: Ask,
  form: Extract<ClientForm, { show: unknown }>,
  call: ToolCall,
  options: CallOptions,
  signal: AbortSignal,
  inboxOnly: () => void,
): Promise<Outcome> {
  const closing = new AbortController();
  const open = AbortSignal.any([signal, closing.signal]);
  const elsewhere = options.port.wait(ask.id, { signal: open });
  elsewhere.catch(() => undefined);
  try {
    const left = await rounds(ask, form, call, options, open, elsewhere);
    if (left !== undefined) return left;
    inboxOnly();
    return await elsewhere;
  } finally {
    closing.abort();
  }
}

async function rounds(
  ask: Ask,
  form: Extract<ClientForm, { show: unknown }>,
  call: ToolCall,
  options: CallOptions,
  signal: AbortSignal,
  elsewhere: Promise<Outcome>,
): Promise<Outcome | undefined> {
  let issues: readonly Issue[] = [];
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const encoded = elicitation.encodeAsk(ask, { revision: form.revision, issues });
    if (!encoded.ok) break;
    const shown = form.show(encoded.input, signal).then(
      (response) => ({ response }),
      (error: unknown) => ({ error }),
    );
    const first = await Promise.race([shown, elsewhere.then((outcome) => ({ outcome }))]);
    if ("outcome" in first) return first.outcome;
    if ("error" in first) {
      const message = isInvalid(first.error);
      if (signal.aborted || message === undefined) break;
      issues = [{ code: "invalid_value", path: [], message }];
      continue;
    }
    const end = await readForm(ask, first.response, call, options);
    if (end === "dismissed") return (await afterForm(ask, DISMISSED, options, true))?.outcome;
    if ("ended" in end) return end.ended.outcome;
    issues = end.issues;
  }
  return signal.aborted ? undefined : (await afterForm(ask, GIVEN_UP, options, false))?.outcome;
}

/** A client that checks the content itself refuses its own answer. */
function isInvalid(error: unknown): string | undefined {
  const isIt = error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams;
  return isIt ? error.message : undefined;
}

/** For 2026-07-28: the ended ask, a form to show, or undefined if only the other surfaces are left. */
export async function formRound(
  ask: Ask,
  form: Extract<ClientForm, { revision: "2026-07-28" }>,
  call: ToolCall,
  options: CallOptions,
): Promise<{ readonly ended: Ask } | { readonly form: CallResult } | undefined> {
  const end =
    form.returned === undefined ? undefined : await readForm(ask, form.returned.response, call, options);
  if (end === "dismissed") {
    const ended = await afterForm(ask, DISMISSED, options, true);
    return ended === undefined ? undefined : { ended };
  }
  if (end !== undefined && "ended" in end) return end;
  const revision: ElicitationRevision = form.revision;
  const encoded = elicitation.encodeAsk(ask, { revision, issues: end?.issues ?? [] });
  if (!encoded.ok) return undefined;
  const mcp = ask.metadata?.mcp as { readonly call?: string } | undefined;
  const requestState = await options.states.sign({ for: "form", ask: ask.id, call: mcp?.call ?? "" });
  const inputRequests = { [FORM_KEY]: inputRequired.elicit(encoded.input as never) };
  return { form: inputRequired({ inputRequests, requestState }) as unknown as CallResult };
}

/** The ask of a form that the client returns. Refuses a state that is not ours, or is for another call. */
export async function askOfForm(
  call: ToolCall,
  hash: string,
  options: CallOptions,
): Promise<Ask | undefined> {
  const returned = call.form?.revision === "2026-07-28" ? call.form.returned : undefined;
  if (returned === undefined) return undefined;
  const state = await options.states.read(returned.state);
  const isOurs = state !== undefined && state.for === "form" && state.call === hash;
  const ask = isOurs ? await options.port.get(state.ask) : undefined;
  // A client that has lost the result sends the same again: it gets the outcome, and nothing is read twice.
  if (state === undefined || ask === undefined || (state.isUsed && ask.outcome === undefined)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
      reason: "invalid_request_state",
    });
  }
  options.states.use(state.id);
  return ask;
}

/** The part of a call's input that is a form which came back. */
export function returnedForm(
  responses: Readonly<Record<string, unknown>> | undefined,
  state: unknown,
): { readonly response: unknown; readonly state: unknown } | undefined {
  const response = responses?.[FORM_KEY];
  return response === undefined && state === undefined ? undefined : { response, state };
}
