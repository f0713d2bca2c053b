import { endOrWithdraw } from "../core/abort.js";
import {
  type Ask,
  type Outcome,
  type SessionAskOptions,
  type SessionEnding,
  type SessionWriter,
  untilAborted,
} from "../core/index.js";
import { endingText } from "../dialects/stream/index.js";
import { type Hub, transcriptOf } from "../hub/index.js";
import { approvalKeyOfAsk, placeAsk } from "./approval-keys.js";
import { ruleFor, type SessionTimeouts, type ToolRules } from "./options.js";
import { toAskRequest } from "./request.js";
import {
  type OpenEvent,
  type RequestEvent,
  requireSessionEvent,
  type SessionEvent,
} from "./session-event.js";
import { onceIn, openHead, requireSessionId, writeInto } from "./session-head.js";
import { type SessionHead, writtenEntry } from "./transcript.js";

export interface OpenSessionOptions {
  readonly hub: Hub;
  readonly sessionId: string;
  /** Of the option that is added for typed text, such as `vi`; English where it is not given. */
  readonly locale?: string;
  /** Ids of the persons who may read and answer; every person where it is empty or not given. */
  readonly recipients?: readonly string[];
  readonly agentId?: string;
  /** How the calls of tools are shown, by their names, beside the preset of `ask_user_question`. */
  readonly rules?: ToolRules;
  readonly timeouts?: SessionTimeouts;
  /** Who writes, where a server has checked it. */
  readonly asker?: string;
  /**
   * Whether to open it again, as said here, where its transcript was removed; true where it is not given. Without it
   * that is `not_found`: for who does not know what was said when it was first opened, and to whom it was addressed.
   */
  readonly reopen?: boolean;
}

export interface PostedRequest {
  readonly ask: Ask;
  readonly approvalKey: string;
  /** False where its key was known. */
  readonly created: boolean;
}

export interface Session extends SessionWriter {
  /** Writes one event, as `POST /v1/sessions/{id}/events` does. With `once`, a second try writes nothing. */
  write(event: unknown, options?: { readonly once?: string }): Promise<PostedRequest | undefined>;
}

/**
 * Opens a session to write it, or goes on with one that was opened before.
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

/** The same, opened by what is written first. */
export function sessionWriter(opening: OpenSessionOptions): Session {
  const { hub, asker, rules = {}, timeouts, locale, agentId, recipients = [], reopen = true } = opening;
  const sessionId = requireSessionId(opening.sessionId);
  const log = transcriptOf(sessionId);
  const fields = requireSessionEvent({ type: "open", locale, agentId, recipients }) as OpenEvent;
  // Before each write as well: the transcript may have been removed since the last.
  const opened = (): Promise<SessionHead> => openHead(hub, sessionId, { event: fields, asker, reopen });
  let last: Promise<unknown> = Promise.resolve();

  /** In the order of the calls, whether or not their caller waits for each. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const run = last.then(task);
    last = run.catch(() => undefined);
    return run;
  };

  const post = async (event: RequestEvent): Promise<PostedRequest> => {
    const head = await opened();
    const request = toAskRequest(event, head, timeouts);
    const { ask, created, waiting } = await hub.submit(request, {
      ...(asker !== undefined && { asker }),
      transcript: log,
    });
    waiting?.stop();
    const approvalKey = (await approvalKeyOfAsk(hub, sessionId, ask)) ?? (await placeAsk(hub, head, ask));
    return { ask, created, approvalKey };
  };

  const append = async (
    event: SessionEvent,
    once: string | undefined,
  ): Promise<PostedRequest | undefined> => {
    switch (event.type) {
      case "open":
        // As it was said first: what holds for a session does not change.
        await opened();
        return undefined;
      case "ask":
      case "approve":
        return post(event);
      default: {
        const ruled =
          event.type === "tool_use" ? { ...event, rule: event.rule ?? ruleFor(rules, event.name) } : event;
        await writeInto(hub, await opened(), (head) =>
          hub.logs.append([writtenEntry(log, ruled)], once === undefined ? {} : { once: onceIn(head, once) }),
        );
        return undefined;
      }
    }
  };

  const write: Session["write"] = async (input, { once } = {}) => {
    const event = requireSessionEvent(input);
    return inTurn(() => append(event, once));
  };
  const written = async (event: unknown): Promise<void> => void (await write(event));

  const asked = async (
    event: RequestEvent,
    { signal, onAsked }: Pick<SessionAskOptions, "signal" | "onAsked">,
  ): Promise<SessionEnding> => {
    const { ask, approvalKey } = await inTurn(() => post(event));
    onAsked?.({ askId: ask.id, approvalKey });
    const { id } = ask;
    const ending = (): Promise<Outcome> =>
      untilAborted(signal, hub.wait(id, signal === undefined ? {} : { signal }));
    const outcome = ask.outcome ?? (await endOrWithdraw(signal, ending(), () => hub.withdraw(id)));
    return { askId: id, approvalKey, outcome, text: endingText(ask, outcome) };
  };

  return {
    sessionId,
    write,
    user: (text) => written({ type: "user", text }),
    thinking: (text) => written({ type: "thinking", text }),
    text: (text, { final = false } = {}) => written({ type: "text", text, final }),
    toolUse: (use) => written({ type: "tool_use", ...use }),
    toolResult: (result) => written({ type: "tool_result", ...result }),
    summary: (text) => written({ type: "summary", text }),
    ask: (questions, options = {}) => asked({ type: "ask", questions, ...requestOf(options) }, options),
    approve: (actions, options = {}) => asked({ type: "approve", actions, ...requestOf(options) }, options),
  };
}

/** The part of the options that is asked; the rest is for this process. */
function requestOf({ signal: _, onAsked: __, ...request }: SessionAskOptions): Omit<RequestEvent, "type"> {
  return request;
}
