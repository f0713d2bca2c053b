// What the app-server of Codex asks its clients, as asks, and outcomes as its responses. Everything comes over a socket, and
// is read with care: a request of an unknown kind is not asked, and stays in Codex.
//
//   item/commandExecution/requestApproval, item/fileChange/requestApproval,
//   item/permissions/requestApproval, a tool of an MCP server ----------------> an approval
//   item/tool/requestUserInput, a form of an MCP server ----------------------> questions
//
// The shapes were recorded from Codex 0.169.0 (test/agents/codex/recorded.json).

import { isRecord, type Json, type JsonObject } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import { codeBlock } from "../../core/text/context.js";
import { displayLine } from "../../core/text/display.js";
import { writtenWords } from "../../core/text/written-words.js";
import { formPrompt } from "../relay/form.js";
import type { Prompt } from "../relay/relay.js";

type Fields = Readonly<Record<string, unknown>>;

/** A request that Codex waits for. */
export interface CodexRequest {
  readonly id: string | number;
  readonly method: string;
  readonly threadId: string;
  readonly turnId: string;
  readonly params: Fields;
}

/** Undefined if it is not a request about a thread. */
export function readRequest(message: Fields): CodexRequest | undefined {
  const { id, method, params } = message;
  if (typeof id !== "string" && typeof id !== "number") return undefined;
  if (typeof method !== "string" || !isRecord(params) || typeof params.threadId !== "string")
    return undefined;
  const { threadId, turnId } = params;
  if (threadId === "" || threadId.length > LIMITS.sessionLength) return undefined;
  return { id, method, threadId, turnId: typeof turnId === "string" ? turnId : "", params };
}

/** What makes a request the same one when Codex sends it again. */
export function identityOf({ id, method, threadId, turnId, params }: CodexRequest): readonly Json[] {
  const { itemId = null, approvalId = null, startedAtMs = null } = params;
  return [threadId, turnId, method, id, itemId as Json, approvalId as Json, startedAtMs as Json];
}

export interface CodexReply {
  readonly result: JsonObject;
  /** What a person wrote and the result has no field for: a message to the running turn. */
  readonly message?: string | undefined;
}

/** A request as an ask, and what its outcome means. If nobody decided, Codex's own dialog stays open. */
export type Asked = Pick<Prompt<CodexReply>, "content" | "reply">;

/** Undefined for a request that a person cannot answer here. `item` is what Codex said about it before. */
export function askedBy(request: CodexRequest, item: Fields | undefined): Asked | undefined {
  switch (request.method) {
    case "item/commandExecution/requestApproval":
      return commandApproval(request.params);
    case "item/fileChange/requestApproval":
      return fileApproval(request.params, item);
    case "item/permissions/requestApproval":
      return permissionApproval(request.params);
    case "item/tool/requestUserInput":
      return userInput(request.params);
    case "mcpServer/elicitation/request":
      return elicitation(request.params);
    default:
      return undefined;
  }
}

/** One way to approve: `rule` is undefined for this once. */
interface Way {
  readonly rule?: string;
  readonly result: JsonObject;
}

interface ApprovalParts {
  readonly name: string;
  readonly args: Fields;
  readonly description?: unknown;
  readonly context?: string;
  readonly ways: readonly [Way, ...Way[]];
  readonly rejected: JsonObject;
  /** The request does not say all that a rule would allow. */
  readonly once?: boolean;
}

/**
 * Codex takes no changed arguments, so an approval cannot be edited. What cannot be shown whole is refused by the hub, and
 * decided in Codex.
 */
function approval(parts: ApprovalParts): Asked {
  const { name, args, description, context, ways, rejected, once = false } = parts;
  const about = typeof description === "string" ? description.trim() : "";
  const named = ways.flatMap(({ rule }) => (rule === undefined ? [] : [displayLine(rule)]));
  const rules = named.filter((rule, at) => rule.length <= LIMITS.idLength && named.indexOf(rule) === at);
  const action = {
    name,
    args: args as JsonObject,
    description: about || undefined,
    allow: ["approve", "reject"] as const,
    rules: rules.length > 0 ? rules : undefined,
    once,
  };
  return {
    content: { approval: { actions: [action] }, context },
    reply(_ask, outcome) {
      const message = writtenWords(outcome);
      if (outcome.kind === "declined" || outcome.kind === "replied")
        return { reply: { result: rejected, message } };
      if (outcome.kind !== "decided") return undefined;
      const [decision] = outcome.decisions;
      if (decision?.kind !== "approve") return { reply: { result: rejected, message } };
      const chosen = ways.find(({ rule }) => rule !== undefined && displayLine(rule) === decision.remember);
      return { reply: { result: (chosen ?? ways[0]).result, message } };
    },
  };
}

function commandApproval(params: Fields): Asked | undefined {
  const { kind = "command", command, cwd, reason, networkApprovalContext: network } = params;
  const { additionalPermissions, environmentId } = params;
  const name = { command: "Bash", writeStdin: "write_stdin", humanCommand: "Bash" }[String(kind)];
  const isNetwork = isRecord(network);
  if (name === undefined || (typeof command !== "string" && !isNetwork)) return undefined;
  const offered: readonly unknown[] = Array.isArray(params.availableDecisions)
    ? params.availableDecisions
    : ["accept"];
  if (!offered.includes("accept")) return undefined;
  return approval({
    name: isNetwork ? "network_access" : name,
    args: present({
      ...(isNetwork && { host: network.host, protocol: network.protocol }),
      ...{ command, cwd, additionalPermissions },
      environment: environmentId === "local" ? undefined : environmentId,
    }),
    description: reason,
    // Text for a program that runs: the request does not name it. A person's own command is to be seen each time.
    once: kind !== "command",
    ways: [
      { result: { decision: "accept" } },
      // A command that a person must see each time is approved once only.
      ...(kind === "humanCommand" ? [] : offered.flatMap((each) => commandWay(each) ?? [])),
    ],
    rejected: { decision: "decline" },
  });
}

function commandWay(decision: unknown): Way | undefined {
  if (decision === "acceptForSession") {
    return { rule: "Codex: this command, for the rest of the session", result: { decision } };
  }
  if (!isRecord(decision)) return undefined;
  const { acceptWithExecpolicyAmendment: prefix, applyNetworkPolicyAmendment: host } = decision;
  const result = { decision: decision as JsonObject };
  if (isRecord(prefix) && Array.isArray(prefix.execpolicy_amendment)) {
    return { rule: `Codex: commands that start with ${prefix.execpolicy_amendment.join(" ")}`, result };
  }
  const amendment = isRecord(host) ? host.network_policy_amendment : undefined;
  // One that denies a host is not a way to approve.
  if (!isRecord(amendment) || amendment.action !== "allow") return undefined;
  return { rule: `Codex: connections to ${String(amendment.host)}`, result };
}

/** A change of files says what it changes in an item of its own; without it, nobody can judge it. */
function fileApproval({ reason, grantRoot }: Fields, item: Fields | undefined): Asked | undefined {
  const changes = Array.isArray(item?.changes) ? item.changes.filter(isRecord) : [];
  if (changes.length === 0) return undefined;
  const files = changes.map(({ path, kind }) => {
    const { type, move_path: to } = isRecord(kind) ? kind : ({} as Fields);
    return present({ path, change: type, to });
  });
  const diffs = changes.map(
    ({ path, diff }) => `${displayLine(String(path))}\n\n${codeBlock(String(diff ?? ""), "diff")}`,
  );
  return approval({
    name: "apply_patch",
    args: present({ files, grantRoot }),
    description: reason,
    context: diffs.join("\n\n"),
    ways: [
      { result: { decision: "accept" } },
      {
        rule: "Codex: changes of these files, for the rest of the session",
        result: { decision: "acceptForSession" },
      },
    ],
    rejected: { decision: "decline" },
  });
}

function permissionApproval({ permissions, cwd, reason, environmentId }: Fields): Asked | undefined {
  if (!isRecord(permissions)) return undefined;
  const granted = present(permissions) as JsonObject;
  return approval({
    name: "request_permissions",
    args: present({ ...granted, cwd, environment: environmentId === "local" ? undefined : environmentId }),
    description: reason,
    ways: [
      { result: { permissions: granted, scope: "turn" } },
      {
        rule: "Codex: these permissions, for the rest of the session",
        result: { permissions: granted, scope: "session" },
      },
    ],
    rejected: { permissions: {}, scope: "turn" },
  });
}

/** Codex marks what a person typed. It has one choice for each question, and no empty answer for a single one. */
function userInput({ questions }: Fields): Asked | undefined {
  const listed = Array.isArray(questions) ? questions.filter(isRecord) : [];
  if (listed.length === 0 || listed.some(({ isSecret }) => isSecret === true)) return undefined;
  return {
    content: {
      allowPartial: listed.length > 1,
      questions: listed.map(({ id, header, question, isOther, options }) => {
        const choices = Array.isArray(options) ? options.filter(isRecord) : [];
        return {
          id: String(id ?? ""),
          question: String(question ?? ""),
          header: typeof header === "string" && header.trim() !== "" ? header : undefined,
          options: choices.map(({ label, description }) => ({
            label: String(label ?? ""),
            description:
              typeof description === "string" && description.trim() !== "" ? description : undefined,
          })),
          freeText: isOther === true || choices.length === 0,
        };
      }),
    },
    reply(ask, outcome) {
      if (outcome.kind === "answered") {
        const last = ask.questions.at(-1)?.id;
        const answers = ask.questions.map(({ id, options }) => {
          const given = outcome.answers.find(({ question }) => question === id);
          const labels = options.flatMap((each) => (given?.selected.includes(each.id) ? [each.label] : []));
          const typed = [given?.text, given?.note, id === last ? outcome.note : undefined];
          const notes = typed.flatMap((text) => (text === undefined ? [] : [`user_note: ${text}`]));
          return [id, { answers: [...labels, ...notes] }] as const;
        });
        return { reply: { result: { answers: Object.fromEntries(answers) } } };
      }
      if (outcome.kind !== "declined" && outcome.kind !== "replied") return undefined;
      return { reply: { result: { answers: {} }, message: writtenWords(outcome) } };
    },
  };
}

const DECLINED: JsonObject = { action: "decline", content: null, _meta: null };

function elicitation({ serverName, mode, message, requestedSchema, _meta }: Fields): Asked | undefined {
  const server = typeof serverName === "string" ? serverName : "";
  // Our own server asks by itself; other modes open a page or verify who somebody is.
  if (mode !== "form" || server === "" || server === "askline") return undefined;
  const meta = isRecord(_meta) ? _meta : {};
  if (meta.codex_approval_kind === "mcp_tool_call") return toolApproval(server, message, meta);
  if (meta.codex_approval_kind !== undefined) return undefined;
  const shown = `**${displayLine(server)}** asks: ${typeof message === "string" ? message : ""}`;
  return formAsk(requestedSchema, shown);
}

const PERSISTED: Readonly<Record<string, string>> = {
  session: "Codex: this tool, for the rest of the session",
  always: "Codex: this tool, always",
};

function toolApproval(server: string, message: unknown, meta: Fields): Asked | undefined {
  const { tool_name: tool, tool_params: args, persist } = meta;
  if (typeof tool !== "string") return undefined;
  const accepted = (saved: string | undefined): JsonObject => ({
    ...{ action: "accept", content: null, _meta: saved === undefined ? null : { persist: saved } },
  });
  const offered = (Array.isArray(persist) ? persist : [persist]).filter((each) => typeof each === "string");
  return approval({
    name: `mcp__${server}__${tool}`,
    args: isRecord(args) ? args : args === undefined || args === null ? {} : { input: args },
    description: message,
    ways: [
      { result: accepted(undefined) },
      ...offered.flatMap((saved) => {
        const rule = Object.hasOwn(PERSISTED, saved) ? PERSISTED[saved] : undefined;
        return rule === undefined ? [] : [{ rule, result: accepted(saved) }];
      }),
    ],
    rejected: DECLINED,
  });
}

function formAsk(schema: unknown, message: string): Asked | undefined {
  const form = formPrompt<CodexReply>(schema, message, (read, outcome) => {
    if (read === undefined) return undefined;
    const accepted = read.action === "accept" && { action: "accept", content: read.content, _meta: null };
    return { result: accepted || DECLINED, message: writtenWords(outcome) };
  });
  return form.ok ? form : undefined;
}

/** Without what Codex left empty. */
function present(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}
