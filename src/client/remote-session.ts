// The agent's side of a session whose hub is elsewhere. Each event is sent after the one before was taken, and named,
// so that a response that was lost does not write it twice.

import { endOrWithdraw } from "../core/abort.js";
import {
  type Ask,
  isRecord,
  type Outcome,
  type SessionAskOptions,
  type SessionEnding,
  type SessionWriter,
  type ToolRule,
} from "../core/index.js";
import { endingText } from "../dialects/stream/answer.js";
import type { Asking } from "./asking.js";
import { malformed } from "./failed-try.js";
import type { Http, Reply } from "./http.js";
import { randomId } from "./random-id.js";
import { readAskBody } from "./wire.js";

export interface RemoteSessionOptions {
  readonly sessionId: string;
  /** Of the option that is added for typed text, such as `vi`; English where it is not given. */
  readonly locale?: string;
  /** Ids of the persons who may read and answer; every person where it is empty or not given. */
  readonly recipients?: readonly string[];
  readonly agentId?: string;
  /** How the calls of tools are shown, by their names. */
  readonly rules?: Readonly<Record<string, ToolRule>>;
  /** In milliseconds; `null` for as long as it takes. The server's 600,000 and 300,000 by default. */
  readonly timeouts?: { readonly questionMs?: number | null; readonly approvalMs?: number | null };
}

export async function openRemoteSession(
  http: Http,
  asking: Pick<Asking, "wait" | "withdraw">,
  options: RemoteSessionOptions,
): Promise<SessionWriter> {
  const { sessionId, locale, recipients, agentId, rules = {}, timeouts = {} } = options;
  const path = `/v1/sessions/${encodeURIComponent(sessionId)}/events`;
  let last: Promise<unknown> = Promise.resolve();

  const send = <T>(event: object, read: (reply: Reply) => T): Promise<T> => {
    const headers = { "idempotency-key": randomId("write") };
    const body = JSON.stringify(event);
    const sent = last.then(() => http.request({ method: "POST", path, headers, body }, read));
    last = sent.catch(() => undefined);
    return sent;
  };
  const written = (event: object): Promise<void> => send(event, () => undefined);

  const asked = async (
    event: object,
    { signal, onAsked, ...request }: SessionAskOptions,
  ): Promise<SessionEnding> => {
    // With a key in any case: without one, a lost response would mean asking twice.
    const key = request.key ?? randomId("key");
    const { ask, approvalKey } = await send({ ...event, ...request, key }, readPosted);
    onAsked?.({ askId: ask.id, approvalKey });
    const { id } = ask;
    const ending = (): Promise<Outcome> => asking.wait(id, signal === undefined ? {} : { signal });
    const outcome = ask.outcome ?? (await endOrWithdraw(signal, ending(), () => asking.withdraw(id)));
    return { askId: id, approvalKey, outcome, text: endingText(ask, outcome) };
  };

  await written({ type: "open", locale, recipients, agentId });
  return {
    sessionId,
    user: (text) => written({ type: "user", text }),
    thinking: (text) => written({ type: "thinking", text }),
    text: (text, { final = false } = {}) => written({ type: "text", text, final }),
    toolUse: (use) =>
      written({ type: "tool_use", ...(Object.hasOwn(rules, use.name) && { rule: rules[use.name] }), ...use }),
    toolResult: (result) => written({ type: "tool_result", ...result }),
    summary: (text) => written({ type: "summary", text }),
    ask: (questions, given = {}) => asked({ type: "ask", questions, timeoutMs: timeouts.questionMs }, given),
    approve: (actions, given = {}) =>
      asked({ type: "approve", actions, timeoutMs: timeouts.approvalMs }, given),
  };
}

function readPosted({ body }: Reply): { readonly ask: Ask; readonly approvalKey: string } {
  const ask = readAskBody(body);
  const approvalKey = isRecord(body) ? body.approvalKey : undefined;
  if (typeof approvalKey !== "string") throw malformed("it holds no approvalKey");
  return { ask, approvalKey };
}
