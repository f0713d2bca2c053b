import { OPTIONAL_NAME } from "../read/common-fields.js";
import type { Model } from "../read/field.js";

const DAY_MS = 24 * 60 * 60_000;

/** How long a signed link is valid, in milliseconds. */
export const LINK_MS: { readonly min: number; readonly usual: number; readonly max: number } = {
  min: 1_000,
  usual: DAY_MS,
  max: 90 * DAY_MS,
};

/** What a signed link to an ask is for. */
export interface LinkInput {
  /** Anyone who has the link can answer as this person. */
  readonly person: string;
  /** Milliseconds from now. */
  readonly expiresIn: number;
  /** The one origin whose pages may show the link's page in a frame; none by default. */
  readonly frame?: string;
}

export const LINK_INPUT: Model<LinkInput> = {
  must: "a person and how long the link is valid",
  fields: {
    person: {
      ...OPTIONAL_NAME,
      required: true,
      must: "be the id of a person",
      about: "The person who may open the link; must be a recipient if the ask has recipients.",
    },
    expiresIn: {
      kind: "duration",
      ...{ min: LINK_MS.min, max: LINK_MS.max, default: LINK_MS.usual },
      must: `be milliseconds, from ${LINK_MS.min} to ${LINK_MS.max}, or a time such as "1h", up to 90 days`,
      about: "Milliseconds, or a time such as 90m, 1h or 7d, up to 90 days; a day by default.",
    },
    frame: {
      kind: "text",
      max: 255,
      pattern: /^https?:\/\/[^/*;,]+$/,
      must: "be the one origin that may show this page in a frame, such as https://app.example.com",
      about: "The one origin whose pages may show the link's page in a frame; none by default.",
    },
  },
};
