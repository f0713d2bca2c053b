import { defined } from "../../core/kit/tools.js";
import type { DeliveredAsk } from "../../core/model/ask.js";
import type { DeliveredOutcome } from "../../core/model/outcome.js";
import type { OpenEvent, RequestEvent, SessionEvent } from "../../core/model/session-event.js";
import type { SessionAskOptions, SessionEnding, SessionWriter } from "../../core/model/session-writer.js";
import { endOrWithdraw, untilAborted } from "../../core/rules/abort.js";
import { transcriptOf } from "../../hub/records/transcripts.js";
import type { Hub } from "../../hub/seam/port.js";
import { endingText } from "../shapes/stream/answer.js";
import { approvalKeyOfAsk, writeAskEntries } from "./approval-keys.js";
import { ruleFor, type SessionTimeouts, type ToolRules } from "./options.js";
import { toAskRequest } from "./request.js";
import { requireSessionEvent } from "./session-event.js";
import { onceIn, openHead, requireSessionId, writeInto } from "./session-head.js";
import { type SessionHead, writtenEntry } from "./transcript.js";

export interface OpenSessionOptions {
  readonly hub: Hub;
  readonly sessionId: string;
  /** The language of the option that is added for typed text, such as `vi`; English by default. */
  readonly locale?: string;
  /** Ids of the people who may read and answer; every person if empty or absent. */
  readonly recipients?: readonly string[];
  readonly agentId?: string;
  /** How tool calls are shown, by tool name. `ask_user_question` has a preset. */
  readonly rules?: ToolRules;
  readonly timeouts?: SessionTimeouts;
  /** The writer, as checked by a server. */
  readonly asker?: string;
  /** The person that the writer works for. */
  readonly owner?: string;
  /**
   * Whether to reopen a session whose transcript was removed, with these options; true by default. If false, writing
   * to it throws `not_found`: for callers that do not know the options with which it was first opened.
   */
  readonly reopen?: boolean;
}

export interface PostedRequest {
  readonly ask: DeliveredAsk;
  readonly approvalKey: string;
  /** False if the key was already known. */
  readonly created: boolean;
}

export interface Session extends SessionWriter {
  /** Writes one event, as `POST /v1/sessions/{id}/events` does. With `once`, a retry writes nothing. */
  write(event: unknown, options?: { readonly once?: string }): Promise<PostedRequest | undefined>;
}

/**
 * Opens a session for writing, or continues one that was opened before.
 *
 * @example
 * const session = await openSession({ hub, sessionId: "s1", locale: "vi" });
 * await session.toolUse({ id: "t1", name: "write_todos", message: "Planning" });
 * await session.toolResult({ id: "t1" });
 * const { text } = await session.ask([{ question: "Which goal?", options: ["Growth", "Income"] }]);
 * console.log(text);
 */
export async function openSession(opening: OpenSessionOptions): Promise<Session> {
  const session = sessionWriter(opening);
  await session.write({ type: "open" });
  return session;
}

/** Like `openSession`, but the first write opens the session. */
export function sessionWriter(opening: OpenSessionOptions): Session {
  const {
    hub,
    asker,
    owner,
    rules = {},
    timeouts,
    locale,
    agentId,
    recipients = [],
    reopen = true,
  } = opening;
  const sessionId = requireSessionId(opening.sessionId);
  const log = transcriptOf(sessionId);
  const fields = requireSessionEvent({ type: "open", locale, agentId, recipients }) as OpenEvent;
  const by = defined({ asker, owner });
  // Called before each write: the transcript may have been removed since the last one.
  const opened = (): Promise<SessionHead> => openHead(hub, sessionId, { event: fields, asker: by, reopen });
  let last: Promise<unknown> = Promise.resolve();

  /** Runs tasks in call order, whether or not the caller awaits each one. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const run = last.then(task);
    last = run.catch(() => undefined);
    return run;
  };

  const post = async (event: RequestEvent): Promise<PostedRequest> => {
    const head = await opened();
    const request = toAskRequest(event, head, timeouts);
    const { ask, created, waiting } = await hub.submit(request, { ...by, transcript: log });
    waiting?.stop();
    const approvalKey =
      (await approvalKeyOfAsk(hub, sessionId, ask)) ?? (await writeAskEntries(hub, head, ask));
    return { ask, created, approvalKey };
  };

  const append = async (
    event: SessionEvent,
    once: string | undefined,
  ): Promise<PostedRequest | undefined> => {
    switch (event.type) {
      case "open":
        // The first open counts: a session's head does not change.
        await opened();
        return undefined;
      case "ask":
      case "approve":
        return post(event);
      default: {
        const complete =
          event.type === "tool_use" ? { ...event, rule: event.rule ?? ruleFor(rules, event.name) } : event;
        await writeInto(hub, await opened(), (head) =>
          hub.logs.append(
            [writtenEntry(log, complete, asker === undefined ? undefined : { kind: "agent", name: asker })],
            { by, ...(once !== undefined && { once: onceIn(head, once) }) },
          ),
        );
        return undefined;
      }
    }
  };

  const write: Session["write"] = async (input, { once } = {}) => {
    const event = requireSessionEvent(input);
    return inTurn(() => append(event, once));
  };
  const writeEvent = async (event: unknown): Promise<void> => void (await write(event));

  const askAndWait = async (
    event: RequestEvent,
    { signal, onAsked }: Pick<SessionAskOptions, "signal" | "onAsked">,
  ): Promise<SessionEnding> => {
    const { ask, approvalKey } = await inTurn(() => post(event));
    onAsked?.({ askId: ask.id, approvalKey });
    const { id } = ask;
    const ending = (): Promise<DeliveredOutcome> =>
      untilAborted(signal, hub.wait(id, signal === undefined ? {} : { signal }));
    const outcome = ask.outcome ?? (await endOrWithdraw(signal, ask, ending(), () => hub.withdraw(id)));
    return { askId: id, approvalKey, outcome, text: endingText(ask, outcome) };
  };

  return {
    sessionId,
    write,
    user: (text) => writeEvent({ type: "user", text }),
    thinking: (text) => writeEvent({ type: "thinking", text }),
    text: (text, { final = false } = {}) => writeEvent({ type: "text", text, final }),
    toolUse: (use) => writeEvent({ type: "tool_use", ...use }),
    toolResult: (result) => writeEvent({ type: "tool_result", ...result }),
    summary: (text) => writeEvent({ type: "summary", text }),
    ask: (questions, options = {}) => askAndWait({ type: "ask", questions, ...requestOf(options) }, options),
    approve: (actions, options = {}) =>
      askAndWait({ type: "approve", actions, ...requestOf(options) }, options),
  };
}

/** The options that are part of the ask; `signal` and `onAsked` stay in this process. */
function requestOf({ signal: _, onAsked: __, ...request }: SessionAskOptions): Omit<RequestEvent, "type"> {
  return request;
}
