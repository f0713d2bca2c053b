import { formatIssues } from "../../core/kit/issue.js";
import { profiles } from "../../core/kit/profiles.js";
import { defined } from "../../core/kit/tools.js";
import type { AskRequest } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { RequestEvent } from "../../core/model/session-event.js";
import { type ParsedAsk, parseAsk } from "../../core/rules/parse-ask.js";
import { freeTextOption } from "../../core/words/free-text-option.js";
import { stream } from "../shapes/stream.js";
import { DEFAULT_TIMEOUTS, type SessionTimeouts } from "./options.js";
import type { SessionHead } from "./transcript.js";

/** The ask for a request of a session. Throws `invalid_ask` with all issues. */
export function toAskRequest(
  event: RequestEvent,
  { sessionId, locale, agentId, recipients }: SessionHead,
  timeouts: SessionTimeouts = {},
): AskRequest {
  const isQuestion = event.type === "ask";
  const configured = isQuestion ? timeouts.questionMs : timeouts.approvalMs;
  const preset = isQuestion ? DEFAULT_TIMEOUTS.questionMs : DEFAULT_TIMEOUTS.approvalMs;
  const { timeoutMs = configured === undefined ? preset : configured, key, context } = event;
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

/** Adds the option that opens the text field to every question that takes typed text and has none. */
function withFreeTextOption(request: AskRequest, locale: string | undefined): AskRequest {
  const { label, description } = freeTextOption(locale);
  const questions = request.questions.map((question) => {
    const { options, freeText } = question;
    if (!freeText || options.some(({ input }) => input)) return question;
    // The parser gives it a free id.
    return { ...question, options: [...options, { label, description, input: true }] };
  });
  return requireParsed(parseAsk({ ...request, questions }));
}

function requireParsed(parsed: ParsedAsk): AskRequest {
  if (parsed.ok) return parsed.ask;
  throw invalidAsk(parsed.issues);
}

function invalidAsk(issues: (ParsedAsk & { ok: false })["issues"]): AsklineError {
  return new AsklineError("invalid_ask", `invalid request:\n${formatIssues(issues)}`, { issues });
}
