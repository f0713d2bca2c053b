// A conversation as a person sees it. The history and the stream tell the same in different ways; both become the same
// items, so that a page that is loaded again shows what it showed live.
//
//   history: messages, each with its place in a group (group_start, group_item, group_end) or outside (content)
//   stream:  group_start, blocks, group_end

import { isRecord } from "../../../core/kit/json.js";

export type ChatItem =
  | { readonly kind: "text"; text: string; readonly index?: number }
  | ChatUser
  | ChatGroup
  | ChatRequest;

/** What was said to the agent: by a person, or as an agent wrote it down. */
export interface ChatUser {
  readonly kind: "user";
  readonly text: string;
  /** The id of the person. */
  readonly person?: string;
  /** The name of the agent that wrote it, or that reported what the person said. */
  readonly agent?: string | undefined;
  readonly index?: undefined;
}

export interface ChatGroup {
  readonly kind: "group";
  readonly steps: ChatStep[];
  summary?: string;
  isOpen: boolean;
}

export type ChatStep =
  | { readonly kind: "thinking"; text: string; readonly index?: number }
  | ChatTool
  | ChatRequest;

export interface ChatTool {
  readonly kind: "tool";
  readonly id: string;
  readonly name: string;
  message: string;
  status?: string;
  readonly index?: number;
}

/** A question or an approval. */
export interface ChatRequest {
  readonly kind: "request";
  readonly key?: string | undefined;
  readonly index?: number;
  questions: readonly { readonly question: string; readonly header?: string | undefined }[];
  actions: readonly { readonly name: string }[];
  /** `pending`, or how it ended. */
  status: string;
  answers: Readonly<Record<string, unknown>>;
  decisions: readonly string[];
}

export interface ChatModel {
  readonly items: readonly ChatItem[];
  /** The requests that nobody has ended, oldest first. */
  readonly pending: readonly ChatRequest[];
  apply(event: unknown): void;
}

const QUESTION_TOOL = "ask_user_question";

/** The model after these messages of the history. Events of the stream are applied to it. */
export function createModel(history: readonly unknown[]): ChatModel {
  const items: ChatItem[] = [];
  const tools = new Map<string, ChatTool>();
  const requests: ChatRequest[] = [];
  let group: ChatGroup | undefined;

  for (const message of history) if (isRecord(message)) readMessage(message);
  // The history does not say whether its last group has ended. A block without a group of its own goes on in it.
  const last = items.at(-1);
  let isUnsure = last?.kind === "group";
  group = undefined;

  function readMessage(message: Record<string, unknown>): void {
    const place = message.display_type;
    if (place === "group_start" || (place !== "content" && group === undefined)) group = openGroup();
    const target = place === "content" ? undefined : group;
    if (target !== undefined && typeof message.summary === "string") target.summary = message.summary;
    if (message.role === "tool") endTool(textOf(message.tool_call_id), textOf(message.status));
    for (const call of listOf(message.tool_calls)) {
      add(toolOf(textOf(call.id), textOf(call.name), textOf(call.tool_content_message)), target);
    }
    const user = message.role === "user" ? writerOf(message.by) : undefined;
    for (const block of listOf(message.content)) readBlock(block, user, target);
    if (place === "group_end" || place === "content") group = undefined;
  }

  function readBlock(
    block: Record<string, unknown>,
    user: Writer | undefined,
    target: ChatGroup | undefined,
  ): void {
    const text = textOf(block.text);
    if (block.type === "text")
      items.push(user === undefined ? { kind: "text", text } : { kind: "user", text, ...user });
    if (block.type === "thinking") add({ kind: "thinking", text: textOf(block.thinking) }, target);
    if (block.type !== "approval_request") return;
    const request = requestOf(block.actionRequests, textOf(block.approvalKey));
    request.answers = isRecord(block.submittedAnswers) ? block.submittedAnswers : {};
    request.decisions = listOf(block.submittedDecisions).map(({ type }) => textOf(type));
    request.status = block.isResolved === true ? "answered" : textOf(block.status);
    place(request, target);
  }

  function openGroup(): ChatGroup {
    const opened: ChatGroup = { kind: "group", steps: [], isOpen: false };
    items.push(opened);
    return opened;
  }

  /** In its group; without one, as a group of its own. */
  function add(step: ChatStep, target: ChatGroup | undefined): void {
    (target ?? openGroup()).steps.push(step);
    if (step.kind === "tool") tools.set(step.id, step);
  }

  /** Questions are outside of groups, approvals in them. */
  function place(request: ChatRequest, target: ChatGroup | undefined): void {
    requests.push(request);
    if (request.questions.length > 0) items.push(request);
    else add(request, target);
  }

  function endTool(id: string, status: string): void {
    const tool = tools.get(id);
    if (tool !== undefined) tool.status = status;
  }

  function current(): ChatGroup | undefined {
    const newest = items.at(-1);
    if (group === undefined && isUnsure && newest?.kind === "group") group = newest;
    isUnsure = false;
    return group;
  }

  function begin(index: number, block: Record<string, unknown>): void {
    switch (block.type) {
      case "text":
        return void items.push({ kind: "text", text: "", index });
      case "thinking":
        return void add({ kind: "thinking", text: "", index }, current());
      case "tool_use":
        return void add({ ...toolOf(textOf(block.id), textOf(block.name), ""), index }, current());
      case "tool_result":
        return void results.set(index, textOf(block.tool_call_id));
      case "approval_request":
        return void begun.set(index, textOf(block.approval_key));
      case "approval_timeout":
        return void end(textOf(block.approval_key), "expired");
    }
  }
  const results = new Map<number, string>();
  const begun = new Map<number, string>();

  function go(index: number, delta: Record<string, unknown>): void {
    const key = begun.get(index);
    if (key !== undefined && Array.isArray(delta.action_requests)) {
      const request = { ...requestOf(delta.action_requests, key), index };
      if (!requests.some((known) => known.key === key)) place(request, current());
      return;
    }
    const result = results.get(index);
    if (result !== undefined && typeof delta.status === "string") return void endTool(result, delta.status);
    const newest = items.at(-1);
    const target = newest?.kind === "group" ? newest.steps.at(-1) : newest;
    if (target === undefined || target.index !== index) return;
    if (target.kind === "text") target.text += textOf(delta.text);
    if (target.kind === "thinking") target.text += textOf(delta.thinking);
    if (target.kind === "tool") target.message += textOf(delta.tool_content_message);
  }

  function end(key: string, status: string, event: Record<string, unknown> = {}): void {
    const request = requests.find((known) => known.key === key);
    if (request === undefined) return;
    request.status = status;
    if (isRecord(event.answers)) request.answers = event.answers;
    request.decisions = listOf(event.decisions).map(({ type }) => textOf(type));
  }

  return {
    items,
    get pending() {
      return requests.filter(({ status }) => status === "pending");
    },
    apply(event) {
      if (!isRecord(event)) return;
      const index = typeof event.index === "number" ? event.index : -1;
      switch (event.type) {
        case "group_start":
          isUnsure = false;
          group = openGroup();
          group.isOpen = true;
          if (typeof event.summary === "string") group.summary = event.summary;
          return;
        case "group_end": {
          const ended = current();
          if (ended !== undefined) {
            ended.isOpen = false;
            if (typeof event.summary === "string") ended.summary = event.summary;
          }
          group = undefined;
          return;
        }
        case "content_block_start":
          return isRecord(event.content_block) ? begin(index, event.content_block) : undefined;
        case "content_block_delta":
          return isRecord(event.delta) ? go(index, event.delta) : undefined;
        case "user_message":
          isUnsure = false;
          return void items.push({ kind: "user", text: textOf(event.text), ...writerOf(event.by) });
        case "approval_resolved": {
          const status = textOf(event.status);
          const isAnswered = status === "answered" || status === "decided";
          return end(textOf(event.approval_key), isAnswered ? "answered" : status, event);
        }
      }
    },
  };
}

function requestOf(actionRequests: unknown, key: string): ChatRequest {
  const requests = listOf(actionRequests);
  const args = requests.find(({ name }) => name === QUESTION_TOOL)?.args;
  const questions = isRecord(args) ? listOf(args.questions) : [];
  return {
    kind: "request",
    key: key === "" ? undefined : key,
    questions: questions.map(({ question, header }) => ({
      question: textOf(question),
      header: typeof header === "string" ? header : undefined,
    })),
    actions: questions.length > 0 ? [] : requests.map(({ name }) => ({ name: textOf(name) })),
    status: "pending",
    answers: {},
    decisions: [],
  };
}

type Writer = Pick<ChatUser, "person" | "agent">;

function writerOf(by: unknown): Writer {
  if (!isRecord(by)) return {};
  if (by.kind === "agent") return { agent: textOf(by.name) };
  return { person: textOf(by.id), agent: typeof by.via === "string" ? by.via : undefined };
}

function toolOf(id: string, name: string, message: string): ChatTool {
  return { kind: "tool", id, name, message };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
