import { type Action, type Approval, DECISION_KINDS, type DecisionKind } from "./approval.js";
import { ACTION_IDS, giveIds } from "./give-ids.js";
import { at, type InputReader, type Path, typeName } from "./input-reader.js";
import { deepFreeze, isRecord } from "./json.js";
import { LIMITS } from "./limits.js";

export function parseApproval(value: unknown, reader: InputReader): Approval {
  if (!isRecord(value)) {
    reader.add("wrong_type", ["approval"], `must be an object with actions, not ${typeName(value)}`);
    return { actions: [] };
  }
  const path = ["approval", "actions"];
  const items = reader.list(value.actions ?? [], path);
  if (items === undefined) return { actions: [] };
  if (items.length === 0) reader.add("no_actions", path, "actions must be a non-empty array");
  if (items.length > LIMITS.actions) {
    reader.add("too_many_actions", path, `maximum ${LIMITS.actions} actions allowed`);
  }
  const looked = items.slice(0, LIMITS.actions);
  const ids = giveIds(looked, ACTION_IDS, path, reader);
  return deepFreeze({
    actions: looked.map((item, index) => parseAction(item, ids[index] ?? "", at(path, index), reader)),
  });
}

function parseAction(item: unknown, id: string, path: Path, reader: InputReader): Action {
  if (!isRecord(item)) {
    reader.add("wrong_type", path, `must be an object with name and args, not ${typeName(item)}`);
    return { id, name: "", args: {}, allow: DECISION_KINDS };
  }
  const name = reader.text(item.name, at(path, "name"), {
    max: LIMITS.actionNameLength,
    blank: ["blank_name", "each action must have a non-empty name"],
  });
  const description = reader.text(item.description, at(path, "description"), {
    max: LIMITS.descriptionLength,
  });
  return {
    id,
    name: name ?? "",
    args: reader.object(item.args ?? {}, at(path, "args"), LIMITS.argsLength) ?? {},
    ...(description !== undefined && { description }),
    allow: parseAllow(item.allow, at(path, "allow"), reader),
  };
}

function parseAllow(value: unknown, path: Path, reader: InputReader): readonly DecisionKind[] {
  if (value === undefined || value === null) return [...DECISION_KINDS];
  const items = reader.list(value, path);
  if (items === undefined) return [];
  const chosen = items
    .slice(0, DECISION_KINDS.length)
    .map((item, index) => reader.choice(item ?? "null", at(path, index), DECISION_KINDS));
  if (items.length === 0 || items.length > DECISION_KINDS.length) {
    reader.add("invalid_value", path, `must name one to three of ${DECISION_KINDS.join(", ")}`);
  }
  return DECISION_KINDS.filter((kind) => chosen.includes(kind));
}
