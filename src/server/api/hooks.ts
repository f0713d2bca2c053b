// Claude Code's HTTP hook: its questions and permission prompts become asks. The person may answer here or at Claude
// Code's terminal, and the first answer wins.
//
//   pending --ends here--------------> the decision
//           --a later event----------> reported, or withdrawn; no decision
//           --the client hangs up----> withdrawn
//           --the server closes------> stays pending; the same request, or a later event, takes it up

import { type ClaudePrompt, type ClaudeRelay, claudeRelay } from "../../agents/claude/relay.js";
import {
  ASKING_EVENTS,
  askOfHook,
  type ClaudeHook,
  DEFERRED,
  readClaudeHook,
  unaskedDecision,
} from "../../agents/shapes/claude/hooks.js";
import { AsklineError } from "../../core/model/error.js";
import { askerOf } from "../../core/model/visibility.js";
import type { Principal } from "../access/principal.js";
import { DEFER } from "../http/parameters.js";
import { dropBody, readJson } from "../http/read-body.js";
import { json, noContent, type PlainReply, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";

const CLAUDE: Operation = {
  id: "claudeHook",
  summary: "The hook of Claude Code: its questions and permission prompts as asks",
  description:
    "Held until the ask ends. No content means no decision: Claude Code goes on by itself. The tool_response of an event is never stored. See docs/claude.md.",
  parameters: [DEFER],
  body: { schema: "ClaudeHookInput" },
  responses: {
    200: { description: "The decision.", schema: "ClaudeHookOutput" },
    204: {
      description: "No decision.",
      headers: { "Askline-Retry": "Present if the server is shutting down: send the request again." },
    },
  },
  errors: ["quota_exceeded", "unsupported"],
};

export const hookRoutes: readonly Route[] = [
  {
    path: "/v1/hooks/claude",
    methods: { POST: authorized({ roles: ["agent"], admin: false, sessions: true }, CLAUDE, claudeHook) },
  },
];

async function claudeHook(call: Call, principal: Principal): Promise<Reply> {
  if (principal.role !== "agent") throw new AsklineError("forbidden", "hooks need a token of an agent");
  const body = await readBody(call);
  const hook = readClaudeHook(body);
  if (hook === undefined) return noContent();
  if (principal.sessions !== undefined && !principal.sessions.includes(hook.session)) {
    throw new AsklineError("forbidden", "this token may not create asks in this session");
  }
  const relay = relayOf(call, principal);
  if (ASKING_EVENTS.includes(hook.event)) {
    const held = await hold(call, principal, relay, hook);
    if (held !== undefined) return held;
    const denied = unaskedDecision(body, "it is too large to be shown whole");
    return denied === undefined ? noContent() : json(200, denied);
  }
  await relay.observe(hook);
  return noContent();
}

function relayOf({ services: { hub, auth } }: Call, principal: Principal): ClaudeRelay {
  const { owner, credential, reports } = principal;
  return claudeRelay(hub, {
    asker: askerOf(principal),
    recipients: reports ?? (owner === undefined ? [] : [owner]),
    person: reports?.length === 1 ? reports[0] : undefined,
    async check() {
      if (await auth.isValid(credential)) return;
      throw new AsklineError("unauthorized", "the token expired or was revoked while the request waited");
    },
  });
}

/** Holds the request of an event until the person has answered here or at the terminal. Undefined if nothing is asked. */
async function hold(
  { services: { rateLimits, waits }, refuse, request, address, url }: Call,
  principal: Principal,
  relay: ClaudeRelay,
  hook: ClaudeHook,
): Promise<Reply | undefined> {
  // It takes no place among those who wait.
  if (askOfHook(hook) === undefined) return undefined;
  const seconds = DEFER.read(url.searchParams);
  const leave = rateLimits.wait(principal, address);
  const reply = async (opened: ClaudePrompt): Promise<PlainReply> => {
    const stop = new AbortController();
    try {
      // What has ended already is never late.
      if (opened.ask.outcome === undefined) {
        const waiting = { ended: opened.ended(stop.signal), stop: () => stop.abort() };
        const end = await waits.until(request.onHangUp, waiting, seconds);
        if (end === "late") return json(200, DEFERRED);
        if (end === "closing") return { ...noContent(), headers: { "askline-retry": "1" } };
        if (end === "left") {
          await opened.gone().catch(() => undefined);
          return noContent();
        }
      }
      // Not before: the decision takes the lease of a parked run.
      const output = await opened.reply(stop.signal);
      await opened.used();
      return output === undefined ? noContent() : json(200, output);
    } finally {
      opened.close();
      leave();
    }
  };
  try {
    const opened = await relay.open(hook, seconds !== undefined, request.incoming?.socket);
    if (opened !== undefined) return { held: reply(opened).catch(refuse) };
    leave();
    return undefined;
  } catch (error) {
    leave();
    throw error;
  }
}

/** Undefined for a body above the limit, such as the output of a tool. */
async function readBody(call: Call): Promise<unknown> {
  try {
    return await readJson(call);
  } catch (error) {
    if (!(error instanceof AsklineError) || error.code !== "too_large") throw error;
    await dropBody(call);
    return undefined;
  }
}
