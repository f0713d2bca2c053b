import { type Ask, type AskRequest, canonicalJson, type Json } from "../core/index.js";

/**
 * Whether two ask the same: questions or approval, and context. Deadline, metadata and the like do not count, so
 * that an agent that starts again and asks with a new deadline still asks the same.
 */
export function sameContent(one: AskRequest, other: Ask): boolean {
  return (
    (one.context ?? "") === (other.context ?? "") &&
    // The parser writes the fields of a question in one order; an action's arguments come in the model's.
    JSON.stringify(one.questions) === JSON.stringify(other.questions) &&
    canonical(one) === canonical(other)
  );
}

function canonical({ approval }: Pick<Ask, "approval">): string {
  return approval === undefined ? "" : canonicalJson(approval as unknown as Json);
}
