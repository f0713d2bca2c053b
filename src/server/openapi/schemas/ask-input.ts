// What `parseAsk` takes, with its own bounds. What a schema cannot say is said in words: sums over several fields,
// texts that must differ, and what two fields may not be at once. There the parser refuses what passes here.

import {
  DEADLINE_POLICIES,
  DECISION_KINDS,
  type JsonObject,
  LIMITS,
  type Profile,
} from "../../../core/index.js";
import { PREVIEW_FORMATS } from "../../../core/model/option.js";
import { ISO_WITH_ZONE, LAST_TIME } from "../../../core/read/read-fields.js";
import { NO_CONTROLS } from "../../parameter.js";
import {
  ANY_OBJECT,
  type Fields,
  FLAG,
  idUpTo,
  listOf,
  NOTHING,
  nullables,
  object,
  oneOf,
  readList,
  ref,
  textNotBlank,
  textUpTo,
} from "../json-schema.js";

const PICKS = { min: 1, max: 1_000 };

const LABEL = textNotBlank(LIMITS.labelLength, {
  description: "What the person reads; unique in its question.",
});

export function optionInput(): JsonObject {
  const preview = object(
    {},
    nullables({ format: oneOf(PREVIEW_FORMATS), content: textUpTo(LIMITS.previewLength) }),
    { title: "With its format" },
  );
  return {
    description: "A choice: its label, or an object with one. Of all options, one may have input: true.",
    anyOf: [
      { ...LABEL, title: "A text" },
      object(
        {},
        {
          ...nullables({
            id: idUpTo(LIMITS.idLength, {
              description: "Unique in its question; o1, o2, … where it is not given.",
            }),
            label: LABEL,
            description: textUpTo(LIMITS.descriptionLength),
            recommended: FLAG,
            input: {
              ...FLAG,
              description: "Choosing it opens the text field; the typed text is the answer.",
            },
          }),
          preview: {
            description: "Something to look at before choosing: text, or text with its format.",
            anyOf: [textUpTo(LIMITS.previewLength), preview, NOTHING],
          },
        },
        {
          title: "Or an object",
          anyOf: [
            object({ label: { type: "string" } }, {}, { title: "With its label" }),
            object({ name: LABEL }, {}, { title: "Or with a name, which is taken for a missing label" }),
          ],
        },
      ),
    ],
  };
}

export function questionInput({ options, headerRequired }: Profile): JsonObject {
  const header = textUpTo(LIMITS.headerLength, { description: "A word or two above the question." });
  return object(
    {
      question: textNotBlank(LIMITS.questionLength, { description: "What is asked." }),
      ...(headerRequired && { header: { ...header, pattern: "\\S" } }),
      ...(options.min > 0 && { options: readList(ref("OptionInput"), options) }),
    },
    nullables({
      id: idUpTo(LIMITS.idLength, { description: "Unique in the ask; q1, q2, … where it is not given." }),
      ...(!headerRequired && { header }),
      ...(options.min === 0 && {
        options: readList(ref("OptionInput"), options, {
          description: "The choices; without any, only typed text can answer.",
        }),
      }),
      multiSelect: {
        ...FLAG,
        description:
          "Whether several may be chosen; false where it is not given. Taken as multi_select and multiple too.",
      },
      minPicks: {
        type: "integer",
        minimum: PICKS.min,
        maximum: PICKS.max,
        description: "With multiSelect only.",
      },
      maxPicks: {
        type: "integer",
        minimum: PICKS.min,
        maximum: PICKS.max,
        description: "With multiSelect only.",
      },
      freeText: {
        ...FLAG,
        description: "Whether the person may type an answer; true where it is not given.",
      },
    }),
    { not: object({ secret: { const: true } }), description: "Secrets cannot be asked for." },
  );
}

export function actionInput(): JsonObject {
  return object(
    { name: textNotBlank(LIMITS.actionNameLength, { description: "What is to be done." }) },
    nullables({
      id: idUpTo(LIMITS.idLength, {
        description: "Unique in the approval; a1, a2, … where it is not given.",
      }),
      args: { ...ANY_OBJECT, description: jsonBound(LIMITS.argsLength) },
      description: textUpTo(LIMITS.descriptionLength),
      allow: readList(
        oneOf(DECISION_KINDS),
        { min: 1, max: DECISION_KINDS.length },
        { description: "How it may be decided; in every way where it is not given." },
      ),
    }),
  );
}

/** The actions of an approval, wherever they stand. */
export function actionList(): JsonObject {
  return readList(ref("ActionInput"), { min: 1, max: LIMITS.actions });
}

export function approvalInput(): JsonObject {
  return object({ actions: actionList() });
}

export function askInput({ questions }: Profile): JsonObject {
  const ids = (max: number, description: string): JsonObject =>
    readList(idUpTo(LIMITS.idLength), { max }, { description });
  const duration = { type: "integer", minimum: 1, maximum: LIMITS.durationMs };
  const fields: Fields = {
    context: textUpTo(LIMITS.contextLength, { description: "Markdown for the person who decides." }),
    session: { type: "string", maxLength: LIMITS.sessionLength, pattern: NO_CONTROLS },
    key: idUpTo(LIMITS.keyLength, {
      description: "The tool-call id: asking again with it, in the same session, is the same ask.",
    }),
    agentId: idUpTo(LIMITS.idLength),
    agentPath: ids(LIMITS.agentPathItems, "The agents above a subagent, outermost first."),
    recipients: ids(LIMITS.recipients, "Ids of the persons who may answer; every person where it is empty."),
    metadata: { ...ANY_OBJECT, description: jsonBound(LIMITS.metadataLength) },
    deadline: time("When it expires. Not together with timeoutMs."),
    timeoutMs: { ...duration, description: "A deadline, counted from now." },
    onDeadline: oneOf(DEADLINE_POLICIES, { description: "What happens then; expire where it is not given." }),
    extendOnActivity: {
      ...duration,
      description: "A person's activity moves the deadline to at least so many milliseconds from then.",
    },
    latest: time("The deadline never moves beyond this. Not before the deadline."),
    allowPartial: { ...FLAG, description: "Whether questions may be skipped." },
    requireSurface: { ...FLAG, description: "End as unavailable at once where nobody can be reached." },
  };
  return object({}, nullables(fields), {
    description: `Questions or an approval, not both. All the text of it together has at most ${LIMITS.askLength.toLocaleString("en")} characters, counted in UTF-16 code units, as are all lengths here.`,
    anyOf: [
      object(
        { questions: readList(ref("QuestionInput"), questions) },
        { approval: NOTHING },
        { title: "With questions" },
      ),
      object(
        { approval: ref("ApprovalInput") },
        { questions: { anyOf: [NOTHING, listOf({}, { maxItems: 0 })] } },
        { title: "Or with an approval" },
      ),
    ],
  });
}

function time(description: string): JsonObject {
  return {
    description: `${description} Milliseconds since the epoch, or a date with a time zone such as 2030-01-31T12:00:00Z.`,
    anyOf: [
      { type: "integer", minimum: 0, maximum: LAST_TIME },
      { type: "string", pattern: ISO_WITH_ZONE.source },
    ],
  };
}

export function jsonBound(length: number): string {
  return `At most ${length.toLocaleString("en")} characters as JSON, ${LIMITS.jsonDepth} levels deep.`;
}
