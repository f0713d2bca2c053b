// docs/reference.md: every field of an ask, an answer and an outcome, from the tables of the model.

import { ACTION, APPROVAL, DECISION } from "../../src/core/model/approval.js";
import { ASK, ASK_REQUEST } from "../../src/core/model/ask.js";
import { CALLBACK } from "../../src/core/model/callback.js";
import { CHOICE, DELIVERED_OUTCOME } from "../../src/core/model/delivered-outcome.js";
import { NOTIFY_STEP } from "../../src/core/model/notify.js";
import { OPTION } from "../../src/core/model/option.js";
import { ANSWER, ANSWERER } from "../../src/core/model/outcome.js";
import { QUESTION } from "../../src/core/model/question.js";
import { type AnyModel, entriesOf, type Field, isAlways } from "../../src/core/read/field.js";
import { profiles } from "../../src/index.js";

/** Whether a table lists what a caller may write, or what the hub returns. */
type Side = "written" | "returned";

export function referenceText(): string {
  return `${[
    "# Reference: ask, answer, outcome",
    "Every field, generated from the tables that the parser reads by (`node scripts/write-reference.mjs`). The same shapes are used in TypeScript, over HTTP and in events. Lengths are in UTF-16 code units; the limits of servers and sessions are in [limits](limits.md), the errors in [errors](errors.md), the options of functions in [options](options.md). Words are defined in the [glossary](glossary.md).",
    "## An ask, as an agent writes it",
    "What `ask`, `post`, `connect().ask` and `POST /v1/asks` take. An ask has either `questions` or an `approval`.",
    tableOf(ASK_REQUEST, "written"),
    "### A question",
    tableOf(QUESTION, "written"),
    "### An option",
    "A text alone is an option with this label.",
    tableOf(OPTION, "written"),
    ...inlineObjects(OPTION, "written"),
    "### An approval",
    tableOf(APPROVAL, "written"),
    "### An action",
    tableOf(ACTION, "written"),
    "### A notify step",
    "When people are [notified](notify.md#reminders-and-escalation) of an ask that nobody has answered.",
    tableOf(NOTIFY_STEP, "written"),
    "### A callback",
    "Where a server [sends the outcome](engines.md#callbacks).",
    tableOf(CALLBACK, "written"),
    "## An ask, as it is stored",
    "All fields above except `timeoutMs`, which becomes `deadline`, and these:",
    tableOf(
      { fields: Object.fromEntries(entriesOf(ASK.fields).filter(([, field]) => field.stored)) },
      "returned",
    ),
    "## An answer",
    "One for each question. `selected` of a submission may also hold exact labels.",
    tableOf(ANSWER, "returned"),
    "## A choice",
    "The same answer in words. Derived when an outcome is returned, and never stored.",
    tableOf(CHOICE, "returned"),
    "## A decision",
    "One for each action.",
    ...variantsOf(DECISION),
    "## An outcome",
    "How an ask ended. `kind` says which of these it is; every ask ends with exactly one.",
    ...variantsOf(DELIVERED_OUTCOME),
    "## An answerer",
    "Who ended an ask, in `by` of an outcome.",
    ...variantsOf(ANSWERER),
  ].join("\n\n")}\n`;
}

function tableOf({ fields = {} }: AnyModel, side: Side): string {
  const rows = entriesOf(fields)
    .filter(([, field]) => side === "returned" || !field.stored)
    .map(
      ([name, field]) =>
        `| \`${name}\` | ${typeOf(name, field)} | ${needOf(field, side)} | ${meaningOf(field)} |`,
    );
  return ["| field | type | | meaning |", "|---|---|---|---|", ...rows].join("\n");
}

function variantsOf(union: { readonly variants: object }): readonly string[] {
  return Object.entries(union.variants as Record<string, object>).flatMap(([kind, fields]) => {
    const rest = Object.fromEntries(entriesOf(fields).filter(([name]) => name !== "kind"));
    const heading = `### \`${kind}\``;
    return Object.keys(rest).length === 0
      ? [heading, "No further fields."]
      : [heading, tableOf({ fields: rest }, "returned")];
  });
}

/** Objects without a name of their own, such as a preview. */
function inlineObjects({ fields = {} }: AnyModel, side: Side): readonly string[] {
  return entriesOf(fields).flatMap(([name, field]) =>
    field.kind === "object" && field.of.name === undefined
      ? [`### \`${name}\` of an option`, "A text alone is its content.", tableOf(field.of, side)]
      : [],
  );
}

/** What the texts of a list are; ids otherwise. */
const ITEMS: Readonly<Record<string, string>> = {
  agentPath: "names",
  labels: "labels",
  rules: "rules",
  selected: "option ids",
};

function typeOf(name: string, field: Field): string {
  switch (field.kind) {
    case "text":
      return `text, up to ${count(field.max)}`;
    case "id":
      return `one line, up to ${count(field.max)}`;
    case "flag":
      return "boolean";
    case "mark":
      return "`true`";
    case "integer":
      return `integer, ${count(field.min)} to ${count(field.max)}`;
    case "time":
      return field.stored ? "time" : "time, or an ISO 8601 date";
    case "choice":
      return field.choices.map((choice) => `\`${choice}\``).join(", ");
    case "constant":
      return `\`${field.value}\``;
    case "number":
      return "number";
    case "duration":
      return `milliseconds, ${count(field.min)} to ${count(field.max)}, or a time such as \`1h\``;
    case "texts":
      return "texts by name";
    case "json":
      return `JSON object, up to ${count(field.max)}`;
    case "ids":
      return `list of ${ITEMS[name] ?? "ids"}, up to ${count(field.max)}`;
    case "choices":
      return `list of ${field.choices.map((choice) => `\`${choice}\``).join(", ")}`;
    case "list":
      return `list of ${linkTo(field.of)}${rangeOf(field.of)}`;
    case "object":
      if (name === "callback") return "[Callback](#a-callback)";
      return field.of.name === undefined ? "text, or an object" : linkTo(field.of);
  }
}

const HEADINGS: Readonly<Record<string, string>> = {
  Question: "#a-question",
  Option: "#an-option",
  Approval: "#an-approval",
  Action: "#an-action",
  NotifyStep: "#a-notify-step",
  Answer: "#an-answer",
  Choice: "#a-choice",
  Decision: "#a-decision",
  Outcome: "#an-outcome",
  Answerer: "#an-answerer",
};

function linkTo({ name = "object" }: AnyModel): string {
  const heading = HEADINGS[name];
  return heading === undefined ? name : `[${name}](${heading})`;
}

function rangeOf({ list }: AnyModel): string {
  const range = list?.range(profiles.open);
  return range === undefined ? "" : `, ${range.min} to ${range.max}`;
}

function needOf(field: Field, side: Side): string {
  if (side === "returned") return isAlways(field) ? "always" : "";
  if ("default" in field && field.default !== undefined) return `default ${defaultOf(field.default)}`;
  if (field.kind === "text") return field.blank !== undefined && !field.blankIf ? "required" : "";
  if ("unless" in field && field.unless) return `unless \`${field.unless}\``;
  if (field.kind === "list" && field.of.list?.range(profiles.open).min === 0) return "";
  return field.required ? "required" : "";
}

function defaultOf(value: unknown): string {
  // The name of a flag of the profile: the open profile has them all off.
  if (value === "allowPartial") return `\`${profiles.open.allowPartial}\``;
  return Array.isArray(value) && value.length > 0 ? "all" : `\`${JSON.stringify(value)}\``;
}

function meaningOf(field: Field): string {
  const also =
    field.aliases === undefined
      ? ""
      : ` Also read as ${field.aliases.map((name) => `\`${name}\``).join(", ")}.`;
  const about = field.about ?? "";
  return `${about}${about.includes("Also read as") ? "" : also}`.trim().replaceAll("|", "\\|");
}

function count(value: number): string {
  return value.toLocaleString("en");
}
