// MCP elicitation: a flat form that a client shows by itself, and what it returns.
//
// A form has a property for each question, under the question's id. Typed text is a property of its own beside it. Since
// 2025-11-25 a choice has a value and a title, and several can be chosen in a list; the revision 2025-06-18 has plain
// enums only, so there each option of a multi-select is a yes or no. A form cannot hold descriptions and previews of
// options: descriptions are folded into that of the property, and `_meta` carries the whole request.

import { profiles } from "../../core/kit/profiles.js";
import type { Dialect } from "./dialect.js";
import { decodeAsk } from "./elicitation/decode-ask.js";
import { encodeAsk } from "./elicitation/encode-ask.js";
import { decodeOutcome, encodeOutcome } from "./elicitation/outcomes.js";
import type { ElicitationInput, ElicitationOptions, ElicitationOutput } from "./elicitation/shape.js";

/**
 * @example
 * const form = elicitation.encodeAsk(ask, { revision: "2025-06-18" }); // { ok: true, input: { message, … } }
 */
export const elicitation: Dialect<ElicitationInput, ElicitationOutput, [options?: ElicitationOptions]> = {
  name: "elicitation",
  profile: profiles.open,
  carries: ["questions", "multiSelect", "approval"],
  endings: {
    answered: "answered",
    decided: "decided",
    declined: "declined",
    replied: "withdrawn",
    expired: "withdrawn",
    withdrawn: "withdrawn",
    unavailable: "withdrawn",
  },
  losses: { ask: ["address"], outcome: ["notes", "reasons", "all skipped", "edits"] },
  decodeAsk,
  encodeAsk,
  encodeOutcome,
  decodeOutcome,
};
