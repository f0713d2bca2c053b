import {
  AsklineError,
  type AskRequest,
  formatIssues,
  type ParsedAsk,
  parseAsk,
  profiles,
} from "../core/index.js";
import { defined } from "../core/kit.js";
import { stream } from "../dialects/stream/index.js";
import { freeTextOption } from "../words/index.js";
import { DEFAULT_TIMEOUTS, type SessionTimeouts } from "./options.js";
import type { RequestEvent } from "./session-event.js";
import type { SessionHead } from "./transcript.js";

/** The ask that a request of a session becomes. Throws `invalid_ask` with everything that is wrong with it. */
export function toAskRequest(
  event: RequestEvent,
  { sessionId, locale, agentId, recipients }: SessionHead,
  timeouts: SessionTimeouts = {},
): AskRequest {
  const isQuestion = event.type === "ask";
  const usual = isQuestion ? timeouts.questionMs : timeouts.approvalMs;
  const preset = isQuestion ? DEFAULT_TIMEOUTS.questionMs : DEFAULT_TIMEOUTS.approvalMs;
  const { timeoutMs = usual === undefined ? preset : usual, key, context } = event;
  const request = requireParsed(
    parseAsk(
      {
        ...(isQuestion ? { questions: event.questions } : { approval: { actions: event.actions } }),
        ...defined({ key, context }),
        ...(timeoutMs !== null && { timeoutMs }),
        ...(agentId !== undefined && { agentId }),
        session: sessionId,
        recipients,
      },
      { profile: profiles.chat },
    ),
  );
  const whole = isQuestion ? withFreeTextOption(request, locale) : request;
  const encoded = stream.encodeAsk(whole);
  if (!encoded.ok) throw invalidAsk(encoded.issues);
  return whole;
}

/** Every question that takes typed text gets the option that opens the text field, if it has none. */
function withFreeTextOption(request: AskRequest, locale: string | undefined): AskRequest {
  const { label, description } = freeTextOption(locale);
  const questions = request.questions.map((question) => {
    const { options, freeText } = question;
    if (!freeText || options.some(({ input }) => input)) return question;
    // The parser finds it an id that is free.
    return { ...question, options: [...options, { label, description, input: true }] };
  });
  return requireParsed(parseAsk({ ...request, questions }));
}

function requireParsed(parsed: ParsedAsk): AskRequest {
  if (parsed.ok) return parsed.ask;
  throw invalidAsk(parsed.issues);
}

function invalidAsk(issues: (ParsedAsk & { ok: false })["issues"]): AsklineError {
  return new AsklineError("invalid_ask", `this cannot be asked:\n${formatIssues(issues)}`, { issues });
}
