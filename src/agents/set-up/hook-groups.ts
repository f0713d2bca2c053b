// Hooks in the shape that Claude Code and Codex share: for each event a list of groups, and in each group a list of hooks.

import { isRecord } from "../../core/kit/json.js";
import { jsonIn, setValue, withoutEmpty } from "./edit-json.js";

export function hasHook(
  group: unknown,
  isOurs: (hook: unknown) => boolean,
): group is { readonly hooks: readonly unknown[] } {
  return isRecord(group) && Array.isArray(group.hooks) && group.hooks.some(isOurs);
}

/** Removes our hooks of all events, and what they leave empty. */
export function withoutHooks(text: string, isOurs: (hook: unknown) => boolean): string {
  let changed = text;
  const hooks = jsonIn(text).hooks;
  for (const [event, groups] of isRecord(hooks) ? Object.entries(hooks) : []) {
    if (!Array.isArray(groups) || !groups.some((group) => hasHook(group, isOurs))) continue;
    for (let index = groups.length - 1; index >= 0; index -= 1) {
      const group: unknown = groups[index];
      if (!hasHook(group, isOurs)) continue;
      const others = group.hooks.filter((hook) => !isOurs(hook));
      const path = ["hooks", event, index];
      changed =
        others.length === 0
          ? setValue(changed, path, undefined)
          : setValue(changed, [...path, "hooks"], others);
    }
    changed = withoutEmpty(changed, ["hooks", event]);
  }
  return withoutEmpty(changed, ["hooks"]);
}
