import type { Issue } from "../../core/index.js";

export function refused(
  field: string,
  message: string,
): { readonly ok: false; readonly issues: readonly Issue[] } {
  return { ok: false, issues: [{ code: "invalid_value", path: field === "" ? [] : [field], message }] };
}
