// What the Copilot runtime asks a permission for, as an approval.

import { isRecord, type JsonObject } from "../../../core/kit/json.js";
import type { ActionInput } from "../../../core/model/approval.js";
import type { AskInput } from "../../../core/model/ask.js";
import { codeBlock } from "../../../core/text/context.js";

/** A permission request, as far as all kinds of them have it. */
export interface PermissionRequest {
  readonly kind: string;
  readonly toolCallId?: string | undefined;
  readonly managedApprovalRequired?: boolean | undefined;
}

export type ApprovalContent = Pick<AskInput, "approval" | "context">;

/** Fields that say how the runtime asks, not what it wants to do. */
const OWN_FIELDS = [
  "kind",
  "toolCallId",
  "intention",
  "managedApprovalRequired",
  "canOfferSessionApproval",
  "diff",
];

/** Fields that repeat what is shown of a command. */
const OF_COMMAND = [
  "fullCommandText",
  "commands",
  "commandSegments",
  "possiblePaths",
  "possibleUrls",
  "hasWriteFileRedirection",
  "resolvedPaths",
];

export function permissionContent(request: PermissionRequest): ApprovalContent {
  const fields = request as unknown as Readonly<Record<string, unknown>>;
  const { intention, diff } = fields;
  const hasDiff = typeof diff === "string" && diff !== "";
  const { name, args, description } = factsOf(request.kind, fields);
  const about = [description, intention].find((text) => typeof text === "string" && text.trim() !== "");
  return approvalOf(
    {
      name,
      args: isRecord(args) ? args : args === undefined ? {} : { input: args },
      description: about === undefined ? undefined : String(about),
      allow: ["approve", "reject"],
      // Without a difference, nobody sees what is written; why a sandbox is left is worded anew each time.
      once: (request.kind === "write" && !hasDiff) || fields.requestSandboxBypass === true,
    },
    hasDiff ? [codeBlock(diff, "diff")] : [],
  );
}

function factsOf(
  kind: string,
  fields: Readonly<Record<string, unknown>>,
): { readonly name: string; readonly args: unknown; readonly description?: unknown } {
  const { toolName, serverName, args, toolArgs, hookMessage, toolDescription } = fields;
  /** Such as the folder of a command, and that it leaves the sandbox. */
  const others = (...shown: readonly string[]) =>
    Object.fromEntries(
      Object.entries(fields).filter(
        ([name, value]) => !OWN_FIELDS.includes(name) && !shown.includes(name) && value !== false,
      ),
    );
  switch (kind) {
    case "shell":
      return { name: kind, args: { command: fields.fullCommandText, ...others(...OF_COMMAND) } };
    case "write":
      return { name: kind, args: { file: fields.fileName, ...others("fileName", "newFileContents") } };
    case "mcp":
      return { name: `${serverName}: ${toolName}`, args };
    case "custom-tool":
      return { name: String(toolName), args, description: toolDescription };
    case "hook":
      return { name: String(toolName), args: toolArgs, description: hookMessage };
    default:
      return { name: kind, args: others() };
  }
}

/** One action, with what it would change. */
export function approvalOf(
  action: ActionInput & { readonly args: Readonly<Record<string, unknown>> },
  evidence: readonly string[] = [],
): ApprovalContent {
  const args = JSON.parse(JSON.stringify(action.args)) as JsonObject;
  return {
    approval: { actions: [{ ...action, args }] },
    context: evidence.length > 0 ? evidence.join("\n\n") : undefined,
  };
}
