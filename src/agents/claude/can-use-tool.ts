// The Claude Agent SDK: `canUseTool`. AskUserQuestion becomes questions, and other tools become approvals, or go to a
// callback of your own. Plain objects of the SDK's shape, so nothing of it is imported.

import type { AskInput, AskRequest } from "../../core/model/ask.js";
import type { Resolver } from "../../core/model/ports.js";
import { abortReason } from "../../core/rules/abort.js";
import { requireAsk } from "../../core/rules/parse-ask.js";
import { originFields } from "../relay/origin.js";
import { claude } from "../shapes/claude.js";
import { approveCall, NotApprovedError } from "../tool/approve-call.js";

/** What `canUseTool` returns. */
type PermissionResult =
  | { behavior: "allow"; updatedInput: Record<string, unknown> }
  | { behavior: "deny"; message: string; interrupt?: boolean };

/** The parts of the SDK's options that are used here. */
interface PermissionCall {
  readonly signal: AbortSignal;
  readonly toolUseID: string;
  readonly agentID?: string;
}

type Input = Record<string, unknown>;

export interface AsklineOptions<Call extends PermissionCall = PermissionCall, Result = never> {
  /**
   * Which tools a person approves: these names, or those that the function accepts; all by default. Others go to
   * `canUseTool`, and are denied if there is none.
   */
  readonly approve?: readonly string[] | ((name: string, input: Input) => boolean);
  /** Your own callback, for tools that no person approves. */
  readonly canUseTool?: (name: string, input: Input, call: Call) => Promise<Result>;
  /** Fields that you add to each ask, such as its session, its recipients and its deadline. */
  readonly ask?: Omit<AskInput, "questions" | "approval" | "key">;
  /** The `capabilities` of the session's init message: some sessions take skipped questions, with the reason. */
  readonly capabilities?: readonly string[] | (() => readonly string[]);
  /** The session's `toolConfig.askUserQuestion.previewFormat`. */
  readonly previewFormat?: "markdown" | "html";
}

/**
 * A `canUseTool` that asks a person. The same `toolUseID` is asked once, however often the SDK delivers it. An abort
 * withdraws the ask.
 *
 * @example
 * // For the SDK: query({ prompt, options: { canUseTool } })
 * const canUseTool = askline(resolver, { approve: ["Bash"], ask: { session: "s1" } });
 */
export function askline<Call extends PermissionCall = PermissionCall, Result = never>(
  resolver: Resolver,
  options: AsklineOptions<Call, Result> = {},
): (name: string, input: Input, call: Call) => Promise<PermissionResult | Result> {
  /** The calls that wait now, by their id: the SDK delivers one again after a reconnect. */
  const waiting = new Map<string, Promise<PermissionResult>>();
  const { approve = () => true, canUseTool } = options;
  const isForPerson = (name: string, input: Input): boolean =>
    typeof approve === "function" ? approve(name, input) : approve.includes(name);

  return async (name, input, call) => {
    const isQuestion = name === "AskUserQuestion";
    if (!isQuestion && !isForPerson(name, input)) {
      if (canUseTool !== undefined) return canUseTool(name, input, call);
      return deny(`Nobody was asked: ${name} is not among the tools that a person approves here.`);
    }
    const known = waiting.get(call.toolUseID);
    if (known !== undefined) return known;
    const asking = (isQuestion ? askQuestions : askApproval)(resolver, name, input, call, options).finally(
      () => waiting.delete(call.toolUseID),
    );
    waiting.set(call.toolUseID, asking);
    return asking;
  };
}

type Shared = Pick<AsklineOptions, "ask" | "capabilities" | "previewFormat">;

async function askQuestions(
  resolver: Resolver,
  _name: string,
  input: Input,
  { signal, toolUseID, agentID }: PermissionCall,
  { ask, capabilities, previewFormat }: Shared,
): Promise<PermissionResult> {
  const decoded = claude.decodeAsk(input, { previewFormat });
  if (!decoded.ok) {
    const issues = decoded.issues.map(({ message }) => message).join("; ");
    return deny(`The questions are invalid, and nobody was asked: ${issues}`);
  }
  const known = typeof capabilities === "function" ? capabilities() : capabilities;
  const { questions } = decoded.ask;
  const request: AskRequest = requireAsk({
    ...originFields({ path: [agentID] }),
    ...ask,
    questions,
    key: toolUseID,
  });
  const outcome = await resolver.ask(request, { signal });
  if (outcome.kind === "withdrawn" && signal.aborted) throw abortReason(signal);
  const permission = claude.encodeOutcome(request, outcome, { input, capabilities: known });
  return permission.behavior === "deny"
    ? deny(permission.message)
    : { behavior: "allow", updatedInput: { ...permission.updatedInput } };
}

async function askApproval(
  resolver: Resolver,
  name: string,
  input: Input,
  { signal, toolUseID, agentID }: PermissionCall,
  { ask }: Shared,
): Promise<PermissionResult> {
  try {
    const fields = { ...originFields({ agent: "claude-agent-sdk", path: [agentID] }), ...ask };
    const { args } = await approveCall(
      resolver,
      { name, args: input },
      { ask: fields, signal, toolCallId: toolUseID },
    );
    return { behavior: "allow", updatedInput: { ...args } };
  } catch (error) {
    if (error instanceof NotApprovedError) return deny(error.message);
    throw error;
  }
}

function deny(message: string): PermissionResult {
  return { behavior: "deny", message };
}
