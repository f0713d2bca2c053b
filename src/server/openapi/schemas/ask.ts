// An ask as it is given back, and how it ended.

import {
  ASK_EVENT_TYPES,
  DEADLINE_POLICIES,
  DECISION_KINDS,
  type JsonObject,
  OUTCOME_KINDS,
  type OutcomeKind,
} from "../../../core/index.js";
import { PREVIEW_FORMATS } from "../../../core/model/option.js";
import { ANY_OBJECT, FLAG, listOf, object, oneOf, ref, TEXT, TIME, TRUE } from "../json-schema.js";

const COUNT = { type: "integer" };

export function option(): JsonObject {
  return object(
    { id: TEXT, label: TEXT },
    {
      description: TEXT,
      preview: object({ format: oneOf(PREVIEW_FORMATS), content: TEXT }),
      recommended: TRUE,
      input: { ...TRUE, description: "Choosing it opens the text field; the typed text is the answer." },
    },
  );
}

export function question(): JsonObject {
  return object(
    { id: TEXT, question: TEXT, options: listOf(ref("Option")), multiSelect: FLAG, freeText: FLAG },
    { header: TEXT, minPicks: COUNT, maxPicks: COUNT },
  );
}

export function action(): JsonObject {
  return object(
    { id: TEXT, name: TEXT, args: ANY_OBJECT, allow: listOf(oneOf(DECISION_KINDS)) },
    { description: TEXT },
  );
}

export function approval(): JsonObject {
  return object({ actions: listOf(ref("Action")) });
}

export function answer(): JsonObject {
  return object(
    { question: TEXT, selected: listOf(TEXT, { description: "Option ids, in the order of the options." }) },
    { text: TEXT, note: TEXT, skipped: TRUE },
  );
}

export function decision(): JsonObject {
  return {
    anyOf: [
      object({ action: TEXT, kind: { const: "approve" } }),
      object({ action: TEXT, kind: { const: "edit" }, args: ANY_OBJECT }),
      object({ action: TEXT, kind: { const: "reject" } }, { message: TEXT }),
    ],
  };
}

export function answerer(): JsonObject {
  return {
    anyOf: [
      object({ kind: { const: "person" }, id: TEXT, surface: TEXT }),
      object({ kind: { const: "policy" }, name: TEXT }),
    ],
  };
}

export function outcome(): JsonObject {
  const by = ref("Answerer");
  const kinds: Readonly<Record<OutcomeKind, JsonObject>> = {
    answered: object({ ...kind("answered"), answers: listOf(ref("Answer")), by }, { note: TEXT }),
    decided: object({ ...kind("decided"), decisions: listOf(ref("Decision")), by }, { note: TEXT }),
    declined: object({ ...kind("declined"), by }, { reason: TEXT }),
    replied: object({ ...kind("replied"), text: TEXT, by }),
    expired: object(kind("expired")),
    withdrawn: object(kind("withdrawn"), { reason: TEXT }),
    unavailable: object(kind("unavailable"), { reason: TEXT }),
  };
  return { description: "How an ask ended.", anyOf: OUTCOME_KINDS.map((name) => kinds[name]) };
}

function kind(name: OutcomeKind): { readonly kind: JsonObject } {
  return { kind: { const: name } };
}

export function ask(): JsonObject {
  return object(
    {
      id: TEXT,
      status: oneOf(["pending", ...OUTCOME_KINDS]),
      createdAt: TIME,
      questions: listOf(ref("Question")),
      session: TEXT,
      recipients: listOf(TEXT),
      onDeadline: oneOf(DEADLINE_POLICIES),
      allowPartial: FLAG,
      requireSurface: FLAG,
    },
    {
      approval: ref("Approval"),
      context: TEXT,
      key: TEXT,
      agentId: TEXT,
      agentPath: listOf(TEXT),
      metadata: ANY_OBJECT,
      deadline: TIME,
      extendOnActivity: COUNT,
      latest: TIME,
      asker: { ...TEXT, description: "Who asked, as the server's credentials name them." },
      transcript: { ...TEXT, description: "The log of its session, where it has one." },
      overdue: TRUE,
      settledAt: TIME,
      outcome: ref("Outcome"),
    },
    { description: "Questions or an approval, and how it ended; no outcome while it is pending." },
  );
}

export function askEvent(): JsonObject {
  return object(
    {
      position: { ...COUNT, description: "Where to read on from; it rises by at least one." },
      at: TIME,
      type: oneOf(ASK_EVENT_TYPES, {
        "x-extensible": true,
        description: "There may be more one day: leave those alone that you do not know.",
      }),
      askId: TEXT,
    },
    { by: ref("Answerer"), ask: ref("Ask") },
  );
}

/** An event, or that the ask was shown, which is none: it has no position. */
export function auditEntry(): JsonObject {
  return object(
    { at: TIME, type: oneOf([...ASK_EVENT_TYPES, "ask.shown"], { "x-extensible": true }) },
    { by: ref("Answerer"), position: COUNT },
  );
}
