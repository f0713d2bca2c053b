import { isRecord } from "../../core/index.js";
import { typeName } from "../../core/input-reader.js";
import { neverThrowing } from "../answers-map.js";
import { refused } from "./refused.js";
import type { DecodedMessage } from "./shapes.js";

/** What a client sends, as far as it can be told without knowing what was asked. */
export function decodeMessage(input: unknown): DecodedMessage {
  return neverThrowing((): DecodedMessage => {
    if (!isRecord(input)) return refused("", `must be an object with a type, not ${typeName(input)}`);
    const { type, text, session_id, approval_key, answers, decisions } = input;
    if (type === "message") {
      if (typeof text === "string" && text.trim() !== "") return { ok: true, message: { type, text } };
      return refused("text", "must be a text that is not blank");
    }
    if (type !== "approval") return refused("type", `must be "approval" or "message"`);
    if (typeof approval_key !== "string") return refused("approval_key", "must be the key of a request");
    if (session_id !== undefined && typeof session_id !== "string") {
      return refused("session_id", `must be a string, not ${typeName(session_id)}`);
    }
    const address = {
      type: "approval" as const,
      approval_key,
      ...(session_id !== undefined && { session_id }),
    };
    return { ok: true, message: { ...address, answers, decisions } };
  });
}
