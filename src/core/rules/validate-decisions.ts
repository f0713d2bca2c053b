import { isBlank } from "../kit/fold.js";
import type { Issue } from "../kit/issue.js";
import { deepFreeze, isRecord } from "../kit/json.js";
import { type Action, DECISION, type Decision } from "../model/approval.js";
import type { AskContent } from "../model/ask.js";
import { DECISION_KINDS } from "../model/kinds.js";
import { OUTCOME } from "../model/outcome.js";
import { at, guarded, type InputReader, inputReader, type Path, typeName } from "../read/input-reader.js";
import { plansOf } from "../read/read-fields.js";
import { isRuleDuration } from "./remembering.js";

export type ValidatedDecisions =
  | { readonly ok: true; readonly decisions: readonly Decision[]; readonly note?: string }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Checks `{ decisions, note? }` against its approval: one decision for each action, each of a kind that the action
 * allows and without the fields of another kind. Reports every problem at once; never throws. On success the decisions
 * are in the order of the actions, frozen.
 */
export function validateDecisions(ask: AskContent, submission: unknown): ValidatedDecisions {
  return guarded((reader) => {
    if (!isRecord(submission)) {
      reader.add("wrong_type", [], `must be an object with decisions, not ${typeName(submission)}`);
      return { ok: true, decisions: [] };
    }
    const decisions = readDecisions(ask, submission.decisions, reader);
    return { ok: true, ...decided({ decisions }, submission, [], reader) };
  });
}

/** What the decisions of an ending are to be remembered for, whether or not they are valid. */
export function rememberedIn(ending: unknown): readonly unknown[] {
  if (!isRecord(ending)) return [];
  const items = inputReader().list(ending.decisions, []) ?? [];
  return items.filter(isRecord).flatMap(({ remember }) => (remember === undefined ? [] : [remember]));
}

export function readDecisions(ask: AskContent, value: unknown, reader: InputReader): readonly Decision[] {
  const actions = ask.approval?.actions ?? [];
  const items = reader.list(value, ["decisions"]);
  if (items === undefined) return [];
  const given = new Map<string, Decision | undefined>();
  items.slice(0, actions.length + 1).forEach((item, index) => {
    const path = ["decisions", index];
    if (!isRecord(item)) {
      reader.add("wrong_type", path, `must be an object with action and kind, not ${typeName(item)}`);
      return;
    }
    const action = actions.find(({ id }) => id === item.action);
    if (action === undefined) {
      const known = actions.map(({ id }) => `"${id}"`).join(", ");
      reader.add("unknown_action", at(path, "action"), `must be one of ${known}`);
    } else if (given.has(action.id)) {
      reader.add("duplicate_decision", at(path, "action"), `"${action.id}" is decided twice`);
    } else {
      given.set(action.id, readDecision(action, item, path, reader));
    }
  });
  const decisions = actions.flatMap((action) => {
    const decision = given.get(action.id);
    if (!given.has(action.id)) {
      reader.add("missing_decision", ["decisions"], `action "${action.id}" (${action.name}) has no decision`);
    }
    return decision === undefined ? [] : [decision];
  });
  return deepFreeze(decisions);
}

function readDecision(
  action: Action,
  item: Readonly<Record<string, unknown>>,
  path: Path,
  reader: InputReader,
): Decision | undefined {
  const kind = reader.choice(item.kind ?? "", at(path, "kind"), DECISION_KINDS);
  if (kind === undefined) return undefined;
  if (!action.allow.includes(kind)) {
    reader.add(
      "decision_not_allowed",
      at(path, "kind"),
      `"${kind}" is not allowed for ${action.name}; use ${action.allow.join(" or ")}`,
    );
    return undefined;
  }
  for (const [field, owner] of OWNED) {
    if (kind === owner || isAbsent(item[field])) continue;
    reader.add("conflict", at(path, field), MISPLACED[field]);
  }
  checkRemembered(action, kind, item, path, reader);
  return read[kind]({ action: action.id, kind }, item, path, reader);
}

/** A rule of ours is made of an approval or a rejection, and the host's of an approval; edits are for once. */
function checkRemembered(
  { rules = [], once }: Action,
  kind: Decision["kind"],
  { remember, rememberField: field }: Readonly<Record<string, unknown>>,
  path: Path,
  reader: InputReader,
): void {
  const isHosts = kind === "approve" && rules.includes(remember as string);
  const fits = isRuleDuration(remember) || (isAbsent(field) && (isAbsent(remember) || isHosts));
  if (fits && (isAbsent(remember) || !(once || kind === "edit"))) return;
  reader.add("invalid_value", at(path, "remember"), "does not apply to this decision");
}

/** The fields that only one kind of decision has. With another kind they would be lost, and mean something else. */
const OWNED = [
  ["args", "edit"],
  ["message", "reject"],
] as const;

const MISPLACED = {
  args: 'must be left out; use "edit" to run the action with these arguments',
  message: 'must be left out: a message belongs to a rejection; use "reject", or send a note',
} as const;

/** A form may send a field that was left blank. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && isBlank(value));
}

const read = plansOf(DECISION);
const { decided } = plansOf(OUTCOME);
