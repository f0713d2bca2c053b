// Claude Code's HTTP hook. A request for a permission, or a question, becomes an ask and is held until the ask ends; the
// person may answer here or at Claude Code's terminal, and the first answer wins.
//
//   pending --ends here--------------> the decision
//           --a later event----------> reported, or withdrawn; no decision
//           --the client hangs up----> withdrawn
//           --the server closes------> stays pending; the same request, or a later event, takes it up
//
// The key of an ask is its request and a round: the same command, asked again after it was decided, is a new ask. What
// was decided is handed out once, by raising the round before the decision is sent.
//
// The decision about a parked call (PreToolUse) is the resume of its run. The first request takes the lease, and gets
// the decision again as long as no later event of the call shows that it has it: a reply may be lost on its way. Other
// runs of the same session, and requests beside one whose connection is open, are parked again.

import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { type Ask, type AskInput, AsklineError, isRecord, type Outcome } from "../../core/index.js";
import { keepNewest } from "../../core/kit/tools.js";
import { agentPathOf, folderMetadata } from "../../core/model/folder.js";
import { askerIdentity, askerOf } from "../../core/model/visibility.js";
import {
  ASKING_EVENTS,
  askOfHook,
  CLAUDE_SURFACE,
  type ClaudeHook,
  callOf,
  DEFERRED,
  decisionOf,
  endingOf,
  identityOf,
  readClaudeHook,
  unaskedDecision,
} from "../../dialects/claude/hooks.js";
import type { Submitted } from "../../hub/index.js";
import { LEASE_MS } from "../../hub/records/resumes.js";
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

const NAMESPACE = "claude-hook";
/** How long the round of a request is remembered. */
const ROUND_MS = 30 * 24 * 60 * 60_000;
const PAGE = 100;
/** How long a run that got the decision has to show it: a call may run for long before its next event. */
const RESUME_MS = LEASE_MS.max;

async function claudeHook(call: Call, principal: Principal): Promise<Reply> {
  if (principal.role !== "agent") throw new AsklineError("forbidden", "hooks need a token of an agent");
  const body = await readBody(call);
  const hook = readClaudeHook(body);
  if (hook === undefined) return noContent();
  if (principal.sessions !== undefined && !principal.sessions.includes(hook.session)) {
    throw new AsklineError("forbidden", "this token may not create asks in this session");
  }
  if (ASKING_EVENTS.includes(hook.event)) {
    const content = askOfHook(hook);
    if (content !== undefined) return mirror(call, principal, hook, content);
    const denied = unaskedDecision(body, "it is too large to be shown whole");
    return denied === undefined ? noContent() : json(200, denied);
  }
  await settle(call, principal, hook);
  return noContent();
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

/** What an ask remembers of its request. */
interface Origin {
  readonly call: string;
  readonly agent?: string;
  /** Parked runs come back for it. */
  readonly deferred?: boolean;
}

function originOf({ metadata }: Ask): Origin | undefined {
  const origin = metadata?.claude;
  return isRecord(origin) && typeof origin.call === "string" ? (origin as unknown as Origin) : undefined;
}

async function mirror(call: Call, principal: Principal, hook: ClaudeHook, content: AskInput): Promise<Reply> {
  const { hub, waits, rateLimits, auth } = call.services;
  const { refuse, request } = call;
  const seconds = DEFER.read(call.url.searchParams);
  const { owner, reports = owner === undefined ? [] : [owner], credential } = principal;
  const origin: Origin = {
    call: hash(callOf(hook)),
    ...(hook.agent !== undefined && { agent: hook.agent }),
    ...(seconds !== undefined && { deferred: true }),
  };
  const input = {
    ...content,
    session: hook.session,
    agentId: "claude-code",
    ...agentPathOf(hook.cwd, [hook.agentType ?? hook.agent]),
    // A prompt of a person's own terminal is for that person.
    recipients: reports,
    metadata: { ...folderMetadata(hook.cwd), claude: { ...origin } },
  };
  const leave = rateLimits.wait(principal, call.address);
  try {
    const { submitted, taken, free } = await take(call, principal, hook, (key) =>
      hub.submit({ ...input, key }, askerOf(principal)),
    );
    const decide = async (ask: Ask, outcome: Outcome): Promise<PlainReply> => {
      if (!(await auth.isValid(credential))) {
        throw new AsklineError("unauthorized", "the token expired or was revoked while the request waited");
      }
      const output = decisionOf(hook, ask, outcome);
      const isParked = output !== undefined && hook.event === "PreToolUse";
      if (isParked && !(await mayGoOn(call, ask, hook))) return json(200, DEFERRED);
      await taken();
      hub.delivered(ask);
      return output === undefined ? noContent() : json(200, output);
    };
    const reply = async (): Promise<PlainReply> => {
      try {
        if (submitted.waiting === undefined) return await decide(submitted.ask, submitted.ask.outcome);
        const end = await waits.until(request.onHangUp, submitted.waiting, seconds);
        if (typeof end !== "string") return await decide(end, end.outcome);
        if (end === "late") return json(200, DEFERRED);
        if (end === "closing") return { ...noContent(), headers: { "askline-retry": "1" } };
        // It may have ended meanwhile; then that outcome stands.
        await hub.withdraw(submitted.ask.id, "closed in Claude Code").catch(() => undefined);
        return noContent();
      } finally {
        free();
        leave();
      }
    };
    return { held: reply().catch(refuse) };
  } catch (error) {
    leave();
    throw error;
  }
}

/** The connections on which decisions about parked calls were sent last, by ask. */
const sentOn = new WeakMap<object, Map<string, WeakRef<Socket>>>();
const MOST_SENT = 1_000;

/** Whether a run that was parked for an ask goes on with this request: it does so once, wherever it is resumed first. */
async function mayGoOn(
  { services: { hub }, request }: Call,
  { id }: Ask,
  hook: ClaudeHook,
): Promise<boolean> {
  const sent = sentOn.get(hub) ?? new Map<string, WeakRef<Socket>>();
  sentOn.set(hub, sent);
  const socket = request.incoming?.socket;
  const other = sent.get(id)?.deref();
  // A retry comes after the connection of its first try was cut.
  if (other !== undefined && other !== socket && other.writable && !other.readableEnded) return false;
  if (socket !== undefined) sent.set(id, new WeakRef(socket));
  keepNewest(sent, MOST_SENT);
  const holder = hash(JSON.stringify([hook.session, hook.prompt ?? ""]));
  const lease = await hub.claimResume(id, { holder, leaseMs: RESUME_MS });
  if (lease === undefined) sent.delete(id);
  return lease !== undefined;
}

interface Taken {
  readonly submitted: Submitted;
  /** Hands out what was decided: the same request is asked anew from now on. */
  taken(): Promise<void>;
  free(): void;
}

/** The asks that a request of this process waits for: another request of the same content is another ask. */
const liveOf = new WeakMap<object, Set<string>>();

/** Stores the ask of a request, or finds the one that it left behind when a server stopped. */
async function take(
  { services: { hub } }: Call,
  principal: Principal,
  hook: ClaudeHook,
  submit: (key: string) => Promise<Submitted>,
): Promise<Taken> {
  const live = liveOf.get(hub) ?? new Set<string>();
  liveOf.set(hub, live);
  const isParked = hook.event === "PreToolUse" && hook.toolUse !== undefined;
  const base = isParked ? parkedHash(hook) : requestHash(principal, hook);
  for (let round = isParked ? 0 : await roundOf(hub, base); ; round += 1) {
    const key = `claude:${base}:${round}`;
    const place = `${askerIdentity(askerOf(principal))} ${hook.session} ${key}`;
    if (live.has(place) && !isParked) continue;
    live.add(place);
    const free = (): void => void live.delete(place);
    try {
      const submitted = await submit(key);
      const { outcome } = submitted.ask;
      if (isParked || outcome === undefined || submitted.created || isDecision(outcome)) {
        const taken = async (): Promise<void> => {
          if (!isParked) await raiseRound(hub, base, round + 1);
        };
        return { submitted, taken, free };
      }
    } catch (error) {
      free();
      throw error;
    }
    free();
  }
}

/** Whether somebody decided it here, and nobody has handed the decision out. */
function isDecision(outcome: Outcome): boolean {
  return "by" in outcome && !(outcome.by.kind === "person" && outcome.by.via !== undefined);
}

type Records = Pick<Call["services"]["hub"], "records" | "now">;

async function roundOf({ records }: Records, base: string): Promise<number> {
  return Number((await records.get(NAMESPACE, base))?.value ?? 0);
}

async function raiseRound({ records, now }: Records, base: string, round: number): Promise<void> {
  await records.put(NAMESPACE, base, round, { expiresAt: now() + ROUND_MS });
}

/** Ends the asks of the session that an event says are over. */
async function settle(call: Call, principal: Principal, hook: ClaudeHook): Promise<void> {
  const { hub } = call.services;
  const { name, reports = [] } = principal;
  const [person, other] = reports;
  const callHash = hash(callOf(hook));
  const by = { kind: "person", id: person ?? "person", surface: CLAUDE_SURFACE } as const;
  if (hook.tool !== undefined) await handOut(hub, principal, hook);
  for (let after: string | undefined; ; ) {
    const filter = { status: "pending", session: hook.session, ...askerOf(principal) } as const;
    const page = await hub.list(filter, { limit: PAGE, ...(after !== undefined && { after }) });
    for (const ask of page.asks) {
      const origin = originOf(ask);
      if (origin === undefined || (origin.deferred && hook.tool === undefined)) continue;
      const isSameCall = origin.call === callHash;
      const ending = endingOf(hook, ask, { agent: origin.agent, isSameCall, by });
      if (ending === undefined) continue;
      const canReport = person !== undefined && other === undefined;
      await (ending.kind === "report" && canReport
        ? hub.report(ask.id, { person, surface: CLAUDE_SURFACE, ...ending.report }, { via: name })
        : hub.withdraw(ask.id, ending.kind === "withdraw" ? ending.reason : "answered in Claude Code")
      ).catch(async (error: unknown) => {
        if (!(error instanceof AsklineError)) throw error;
        if (error.code === "already_settled" || error.code === "not_found") return;
        // Not this person's to answer, or not a valid answer: it is over all the same.
        await hub.withdraw(ask.id, "answered in Claude Code").catch(() => undefined);
      });
      // One event of a tool is about one call.
      if (hook.tool !== undefined) return;
    }
    after = page.next;
    if (after === undefined) return;
  }
}

/**
 * A call that ran was decided: a decision that nobody has fetched must not allow the next one. And a run that was parked
 * for it has gone on.
 */
async function handOut(hub: Call["services"]["hub"], principal: Principal, hook: ClaudeHook): Promise<void> {
  const base = requestHash(principal, hook);
  const round = await roundOf(hub, base);
  const parked = `claude:${parkedHash(hook)}:0`;
  const keys = [`claude:${base}:${round}`, ...(hook.toolUse === undefined ? [] : [parked])];
  for (const { id, key } of await hub.findKeys({
    ...askerOf(principal),
    keys,
    session: hook.session,
    limit: 1,
  })) {
    const ask = await hub.get(id).catch(() => undefined);
    if (ask?.outcome === undefined) continue;
    if (key === parked) await hub.finishResume(id);
    else if (isDecision(ask.outcome)) await raiseRound(hub, base, round + 1);
  }
}

function parkedHash({ session, toolUse }: ClaudeHook): string {
  return hash(`${session} ${toolUse}`);
}

function requestHash(principal: Principal, hook: ClaudeHook): string {
  return hash(JSON.stringify([askerIdentity(askerOf(principal)), hook.session, identityOf(hook)]));
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
