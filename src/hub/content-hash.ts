import { createHash } from "node:crypto";
import { type AskRequest, canonicalJson, type Json } from "../core/index.js";

/**
 * What is asked, in a few bytes: questions or approval, and context. Deadline, metadata and the like do not
 * count, so that an agent that starts again and asks with a new deadline still asks the same.
 */
export function contentHash({ questions, approval, context }: AskRequest): string {
  const content = { questions, approval: approval ?? null, context: context ?? null };
  return createHash("sha256")
    .update(canonicalJson(content as unknown as Json))
    .digest("base64url");
}
