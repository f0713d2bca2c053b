import { hash } from "node:crypto";
import { type AskRequest, canonicalJson, type Json } from "../core/index.js";
import { questionsJson } from "./ask-json.js";

/**
 * What is asked, in a few bytes: questions or approval, and context. Deadline, metadata and the like do not
 * count, so that an agent that starts again and asks with a new deadline still asks the same.
 */
export function contentHash({ questions, approval, context }: AskRequest): string {
  // The parser writes the fields of a question in one order; an action's arguments come in the model's. JSON
  // holds no line break, so the three parts cannot be taken for one another.
  const actions = approval === undefined ? "" : canonicalJson(approval as unknown as Json);
  return hash("sha256", `${questionsJson(questions)}\n${actions}\n${context ?? ""}`, "base64url");
}
