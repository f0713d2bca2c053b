import { typeName } from "./input-reader.js";
import { isRecord } from "./json.js";
import { messageOf } from "./kit.js";
import type { Profile } from "./limits.js";
import type { AskInput } from "./model/ask.js";
import { type ParsedAsk, parseAsk } from "./parse-ask.js";

/** Takes only the questions and their context from the model: where an ask goes is the host's to say. */
export function parseToolInput(
  input: unknown,
  profile: Profile,
  host: Omit<AskInput, "questions" | "approval">,
): ParsedAsk {
  let fields = input;
  if (typeof input === "string") {
    try {
      fields = JSON.parse(input);
    } catch (error) {
      const message = messageOf(error);
      return { ok: false, issues: [{ code: "invalid_json", path: [], message }] };
    }
  }
  if (!isRecord(fields)) {
    const message = `must be an object with questions, not ${typeName(fields)}`;
    return { ok: false, issues: [{ code: "wrong_type", path: [], message }] };
  }
  return parseAsk(
    { ...host, questions: fields.questions, context: fields.context ?? host.context },
    { profile },
  );
}
