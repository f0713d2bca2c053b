// A permission request as an ask. Its options can be remembered by the agent ("always"), and an approval has no such
// decision. So a request with exactly one way to allow and one to reject, both for this once, is an approval; any other
// is a question with the agent's own options.

import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionOutcome,
  ToolCallContent,
  ToolCallLocation,
} from "@agentclientprotocol/sdk";
import {
  type Ask,
  type AskInput,
  isRecord,
  type JsonObject,
  LIMITS,
  type OptionInput,
  type Outcome,
} from "../../core/index.js";
import { lookOf } from "../../core/kit/fold.js";
import { codeBlock, cutContext } from "../../core/text/context.js";

/** What an agent says about a tool call. */
export interface ToolCallFacts {
  readonly title?: string | null;
  readonly name?: string | null;
  readonly kind?: string | null;
  readonly rawInput?: unknown;
  readonly content?: readonly ToolCallContent[] | null;
  readonly locations?: readonly ToolCallLocation[] | null;
}

const ABOUT: Readonly<Record<PermissionOptionKind, string>> = {
  allow_once: "Allows it this time.",
  allow_always: "Allows it, and the agent remembers that.",
  reject_once: "Rejects it this time.",
  reject_always: "Rejects it, and the agent remembers that.",
};

export function permissionAsk(
  call: ToolCallFacts,
  options: readonly PermissionOption[],
): Pick<AskInput, "questions" | "approval" | "context"> {
  const title = textOf(call.title) ?? textOf(call.name) ?? textOf(call.kind) ?? "a tool call";
  const args = call.rawInput === undefined ? undefined : JSON.stringify(call.rawInput, null, 2);
  const fits = args === undefined || args.length <= LIMITS.argsLength;
  const details = contentText(call);
  if (isPlain(options) && fits) {
    const name = textOf(call.name) ?? title;
    return {
      approval: {
        actions: [
          {
            name: name.slice(0, LIMITS.actionNameLength),
            ...(name !== title && { description: title.slice(0, LIMITS.descriptionLength) }),
            args: (isRecord(call.rawInput)
              ? call.rawInput
              : call.rawInput === undefined || call.rawInput === null
                ? {}
                : { input: call.rawInput }) as JsonObject,
            allow: ["approve", "reject"],
          },
        ],
      },
      ...(details !== "" && { context: cutContext(details) }),
    };
  }
  const shown = [args === undefined ? "" : codeBlock(args, "json"), details].filter((part) => part !== "");
  return {
    questions: [
      {
        question: `May the agent do this? ${title}`.slice(0, LIMITS.questionLength),
        header: "Permission",
        options: options.map((option, index) => choice(option, index, options)),
        freeText: false,
      },
    ],
    ...(shown.length > 0 && { context: cutContext(shown.join("\n\n")) }),
  };
}

function isPlain(options: readonly PermissionOption[]): boolean {
  const kinds = options.map(({ kind }) => kind).sort();
  return kinds.length === 2 && kinds[0] === "allow_once" && kinds[1] === "reject_once";
}

function choice(
  { name, kind }: PermissionOption,
  index: number,
  all: readonly PermissionOption[],
): OptionInput {
  const own = textOf(name) ?? kind;
  const twin = all.some((other, at) => at !== index && lookOf(other.name) === lookOf(name));
  const label = twin ? `${own} (${index + 1}: ${kind})` : own;
  return { id: optionId(index), label: label.slice(0, LIMITS.labelLength), description: ABOUT[kind] };
}

function optionId(index: number): string {
  return `o${index + 1}`;
}

/** Nothing but a person's choice selects an option. "Always" is never chosen for a person who did not say so. */
export function permissionResponse(
  options: readonly PermissionOption[],
  ask: Pick<Ask, "approval">,
  outcome: Outcome,
): RequestPermissionOutcome {
  const select = (wanted: PermissionOption | undefined): RequestPermissionOutcome =>
    wanted === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: wanted.optionId };
  const once = (kind: PermissionOptionKind): PermissionOption | undefined =>
    options.find((option) => option.kind === kind);
  switch (outcome.kind) {
    case "answered": {
      const picked = outcome.answers[0]?.selected[0];
      return select(options.find((_option, index) => optionId(index) === picked));
    }
    case "decided":
      return select(
        once(
          ask.approval !== undefined && outcome.decisions[0]?.kind === "approve"
            ? "allow_once"
            : "reject_once",
        ),
      );
    case "declined":
    case "replied":
      return select(once("reject_once"));
    case "expired":
    case "withdrawn":
    case "unavailable":
      return { outcome: "cancelled" };
  }
}

/** Files, texts and changes of a tool call, as Markdown. */
function contentText({ content, locations }: ToolCallFacts): string {
  const files = (locations ?? []).map(({ path, line }) => `- \`${path}${line ? `:${line}` : ""}\``);
  const parts = (content ?? []).flatMap((part) => {
    if (part.type === "diff" && "newText" in part) {
      return [`\`${part.path}\`\n\n${codeBlock(changes(part.oldText ?? "", part.newText), "diff")}`];
    }
    if (part.type === "content" && "content" in part && isRecord(part.content)) {
      return part.content.type === "text" && typeof part.content.text === "string" ? [part.content.text] : [];
    }
    return [];
  });
  return [files.join("\n"), ...parts].filter((part) => part !== "").join("\n\n");
}

const AROUND = 3;

/** The lines that differ, with some lines around them. */
function changes(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  return [
    ...now.slice(Math.max(0, start - AROUND), start).map((line) => ` ${line}`),
    ...(before === "" ? [] : old.slice(start, old.length - end).map((line) => `-${line}`)),
    ...now.slice(start, now.length - end).map((line) => `+${line}`),
    ...now.slice(now.length - end, now.length - end + AROUND).map((line) => ` ${line}`),
  ].join("\n");
}

function textOf(value: string | null | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
