// What ends an ask, or is kept until then. Whether it fits the ask is for the server to say: which ids there are,
// how many picks, whether text is taken.

import { type JsonObject, LIMITS, profiles } from "../../../core/index.js";
import { DECISION } from "../../../core/model/approval.js";
import { ANSWER, OUTCOME } from "../../../core/model/outcome.js";
import { LEASE_MS } from "../../../hub/records/resumes.js";
import { LINK_MS } from "../../access/links.js";
import { MOST_REPORTS, TOKEN_MINUTES, TOKEN_ROLES } from "../../access/tokens.js";
import { REPORT_SURFACE } from "../../http/parameters.js";
import { ANY_OBJECT, idUpTo, listOf, object, oneOf, readList, ref, TEXT, textUpTo } from "../json-schema.js";
import { jsonBound, read, readEnding, readVariants } from "../model-schemas.js";

export function answersInput(): JsonObject {
  const { max } = profiles.open.questions;
  return readEnding(OUTCOME.variants.answered, { answers: readList(read(ANSWER), { max }) });
}

export function decisionsInput(): JsonObject {
  const range = { min: 1, max: LIMITS.actions };
  return readEnding(OUTCOME.variants.decided, { decisions: readList(readVariants(DECISION), range) });
}

export function reasonInput(): JsonObject {
  return readEnding(OUTCOME.variants.declined);
}

export function replyInput(): JsonObject {
  return readEnding(OUTCOME.variants.replied);
}

export function reportInput(): JsonObject {
  return object(
    {},
    {
      person: idUpTo(LIMITS.idLength, {
        description:
          "The person who gave the answer. May be omitted if the token reports for one person only.",
      }),
      surface: { ...REPORT_SURFACE.schema, description: REPORT_SURFACE.description },
      answer: ref("AnswersInput"),
      decide: ref("DecisionsInput"),
      decline: ref("ReasonInput"),
      reply: ref("ReplyInput"),
    },
    {
      additionalProperties: false,
      oneOf: ["answer", "decide", "decline", "reply"].map((name) => ({ required: [name] })),
    },
  );
}

export function resumeInput(): JsonObject {
  return object(
    { holder: idUpTo(LIMITS.idLength, { description: "Names the process; must be unique to it." }) },
    {
      leaseMs: { type: "integer", minimum: LEASE_MS.min, maximum: LEASE_MS.max, default: LEASE_MS.usual },
      end: oneOf(["done", "release"], {
        description: "What to do with the lease instead of claiming or renewing it.",
      }),
    },
    { additionalProperties: false },
  );
}

export function draftInput(): JsonObject {
  return object({
    draft: {
      ...ANY_OBJECT,
      description: `Unfinished answers as \`askline/form\` saves them, so that another surface can continue; any other object is stored unchanged. ${jsonBound(LIMITS.draftLength)}`,
    },
  });
}

export function linkInput(): JsonObject {
  return object(
    {
      person: idUpTo(LIMITS.idLength, {
        description: "The person who may open the link; must be a recipient if the ask has recipients.",
      }),
    },
    {
      expiresIn: {
        anyOf: [
          { type: "integer", minimum: LINK_MS.min, maximum: LINK_MS.max },
          { type: "string", pattern: "^\\d+(\\.\\d+)?(ms|s|m|h|d)$" },
        ],
        default: LINK_MS.usual,
        description: "Milliseconds, or a time such as 90m, 1h or 7d, up to 90 days; a day by default.",
      },
      frame: {
        type: "string",
        maxLength: 255,
        pattern: "^https?://[^/*;,]+$",
        description: "The one origin whose pages may show the link's page in a frame; none by default.",
      },
    },
    { additionalProperties: false },
  );
}

export function tokenInput(): JsonObject {
  return object(
    {
      role: oneOf(TOKEN_ROLES),
      name: idUpTo(LIMITS.idLength, { description: "The name of the agent, or the id of the person." }),
    },
    {
      owner: idUpTo(LIMITS.idLength, {
        description:
          "For an agent: the person that it works for. Agents with the same name and other owners do not see its asks.",
      }),
      sessions: listOf(textUpTo(LIMITS.sessionLength), {
        minItems: 1,
        description: "The token works in these sessions only; in all by default.",
      }),
      reports: listOf(idUpTo(LIMITS.idLength), {
        minItems: 1,
        maxItems: MOST_REPORTS,
        description:
          "For an agent: the people whose answers it may report, which they gave in a form of its own host.",
      }),
      expiresInMinutes: {
        type: "integer",
        minimum: 1,
        maximum: TOKEN_MINUTES.max,
        default: TOKEN_MINUTES.usual,
      },
    },
    { additionalProperties: false },
  );
}

export function ticketInput(): JsonObject {
  return object(
    {
      path: {
        ...textUpTo(1_024),
        description: "The path to open: /v1/events, /v1/sessions/{id}/stream, or a path of the gateway.",
      },
    },
    {
      origin: {
        ...TEXT,
        description:
          "The origin of the page that will use it, if another program creates it. A page's own by default.",
      },
    },
    { additionalProperties: false },
  );
}
