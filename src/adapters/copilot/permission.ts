// What the Copilot runtime asks a permission for, as an approval.

import { type ActionInput, type AskInput, isRecord, type JsonObject, LIMITS } from "../../core/index.js";
import { codeBlock, cutContext } from "../../core/text/context.js";

/** A permission request, as far as all kinds of them have it. */
export interface PermissionRequest {
  readonly kind: string;
  readonly toolCallId?: string | undefined;
  readonly managedApprovalRequired?: boolean | undefined;
}

export type ApprovalContent = Pick<AskInput, "approval" | "context">;

/** Fields that say how the runtime asks, not what it wants to do. */
const OWN_FIELDS = new Set([
  "kind",
  "toolCallId",
  "intention",
  "managedApprovalRequired",
  "canOfferSessionApproval",
  "diff",
]);

export function permissionContent(request: PermissionRequest): ApprovalContent {
  const fields = request as unknown as Readonly<Record<string, unknown>>;
  const { intention, diff } = fields;
  const { name, args, description } = factsOf(request.kind, fields);
  const about = [description, intention].find((text) => typeof text === "string" && text.trim() !== "");
  return approvalOf(
    {
      name,
      args: isRecord(args) ? args : args === undefined ? {} : { input: args },
      ...(about !== undefined && { description: String(about) }),
      allow: ["approve", "reject"],
    },
    typeof diff === "string" && diff !== "" ? [codeBlock(diff, "diff")] : [],
  );
}

function factsOf(
  kind: string,
  fields: Readonly<Record<string, unknown>>,
): { readonly name: string; readonly args: unknown; readonly description?: unknown } {
  const { toolName, serverName, args, toolArgs, hookMessage, toolDescription } = fields;
  switch (kind) {
    case "shell":
      return { name: kind, args: { command: fields.fullCommandText } };
    case "write":
      return { name: kind, args: { file: fields.fileName } };
    case "mcp":
      return { name: `${serverName}: ${toolName}`, args };
    case "custom-tool":
      return { name: String(toolName), args, description: toolDescription };
    case "hook":
      return { name: String(toolName), args: toolArgs, description: hookMessage };
    default: {
      const own = Object.entries(fields).filter(([name]) => !OWN_FIELDS.has(name));
      return { name: kind, args: Object.fromEntries(own) };
    }
  }
}

/** One action within the limits. Arguments that are too long are shown as context, and cannot be edited. */
export function approvalOf(
  action: ActionInput & { readonly args: Readonly<Record<string, unknown>> },
  evidence: readonly string[] = [],
): ApprovalContent {
  const { name, args, description, allow = [] } = action;
  const text = JSON.stringify(args, null, 2);
  const fits = text.length <= LIMITS.argsLength;
  const context = cutContext([...(fits ? [] : [codeBlock(text, "json")]), ...evidence].join("\n\n"));
  return {
    approval: {
      actions: [
        {
          name: name.slice(0, LIMITS.actionNameLength),
          args: (fits ? JSON.parse(text) : {}) as JsonObject,
          ...(description !== undefined && { description: description.slice(0, LIMITS.descriptionLength) }),
          allow: fits ? allow : allow.filter((kind) => kind !== "edit"),
        },
      ],
    },
    ...(context !== "" && { context }),
  };
}
