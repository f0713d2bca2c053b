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
import { lookOf } from "../../core/kit/fold.js";
import { isRecord, type JsonObject } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import type { Ask, AskInput } from "../../core/model/ask.js";
import type { OptionInput } from "../../core/model/option.js";
import type { Outcome } from "../../core/model/outcome.js";
import { codeBlock } from "../../core/text/context.js";
import { displayLine } from "../../core/text/display.js";

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

/** Nothing is cut: what is too long for one place is shown in another, and the hub refuses what fits nowhere. */
export function permissionAsk(
  call: ToolCallFacts,
  options: readonly PermissionOption[],
): Pick<AskInput, "questions" | "approval" | "context"> {
  const [name, title] = [textOf(call.name), textOf(call.title)];
  const kind = textOf(call.kind) ?? "a tool call";
  const args = call.rawInput === undefined ? undefined : JSON.stringify(call.rawInput, null, 2);
  const fits = args === undefined || args.length <= LIMITS.argsLength;
  const { text: details, isWhole } = contentText(call);
  if (isPlain(options) && fits) {
    const short = [name, title].find((text) => text !== undefined && text.length <= LIMITS.actionNameLength);
    const rest = [name, title].filter((text) => text !== undefined && text !== short);
    const about = [...new Set(rest)].join("\n");
    const isShort = about.length <= LIMITS.descriptionLength;
    const context = [isShort ? "" : codeBlock(about, ""), details].filter((part) => part !== "");
    return {
      approval: {
        actions: [
          {
            name: short ?? kind,
            description: about !== "" && isShort ? about : undefined,
            args: (isRecord(call.rawInput)
              ? call.rawInput
              : call.rawInput === undefined || call.rawInput === null
                ? {}
                : { input: call.rawInput }) as JsonObject,
            allow: ["approve", "reject"],
            // A rule would also allow another image, or whatever else has this title.
            once: !isWhole || (args === undefined && details === ""),
          },
        ],
      },
      context: context.join("\n\n") || undefined,
    };
  }
  const whole = title ?? name ?? kind;
  const question = `May the agent do this? ${whole}`;
  const isLong = question.length > LIMITS.questionLength;
  const shown = [
    isLong ? codeBlock(whole, "") : "",
    args === undefined ? "" : codeBlock(args, "json"),
    details,
  ];
  const context = shown.filter((part) => part !== "").join("\n\n");
  return {
    questions: [
      {
        question: isLong ? "May the agent do this?" : question,
        header: "Permission",
        options: options.map((option, index) => choice(option, index, options)),
        freeText: false,
      },
    ],
    context: context || undefined,
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
  return { id: optionId(index), label, description: ABOUT[kind] };
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

/** Files, texts and changes of a tool call, as Markdown, and whether that is all of its content. */
function contentText({ content, locations }: ToolCallFacts): {
  readonly text: string;
  readonly isWhole: boolean;
} {
  const files = (locations ?? []).map(({ path, line }) => `- \`${path}${line ? `:${line}` : ""}\``);
  let isWhole = true;
  const parts = (content ?? []).map((part) => {
    if (part.type === "diff" && "newText" in part) {
      const { line, text } = changes(part.oldText ?? "", part.newText);
      return `\`${part.path}\`, from line ${line}\n\n${codeBlock(text, "diff")}`;
    }
    const { type, text } = (part.type === "content" && isRecord(part.content) ? part.content : part) as {
      readonly type: string;
      readonly text?: unknown;
    };
    if (type === "text" && typeof text === "string") return text;
    isWhole = false;
    return `**Not shown here: ${displayLine(type)}**`;
  });
  return { text: [files.join("\n"), ...parts].filter((part) => part !== "").join("\n\n"), isWhole };
}

const AROUND = 3;

/** The lines that differ, with some lines around them, and the line where they begin: equal texts are the same change. */
function changes(before: string, after: string): { readonly line: number; readonly text: string } {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const lines = [
    ...now.slice(Math.max(0, start - AROUND), start).map((line) => ` ${line}`),
    ...(before === "" ? [] : old.slice(start, old.length - end).map((line) => `-${line}`)),
    ...now.slice(start, now.length - end).map((line) => `+${line}`),
    ...now.slice(now.length - end, now.length - end + AROUND).map((line) => ` ${line}`),
  ];
  return { line: start + 1, text: lines.join("\n") };
}

function textOf(value: string | null | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
