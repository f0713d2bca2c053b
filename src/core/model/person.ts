import { LIMITS } from "../kit/limits.js";
import { AT, COUNT, NAME, OPTIONAL_NAME } from "../read/common-fields.js";
import type { Model } from "../read/field.js";

/** A person that a server knows. */
export interface Person {
  readonly id: string;
  readonly since: number;
  /** When the person last sent a request, within ten minutes. */
  readonly seen?: number;
  /** When everything that was issued to the person was revoked, if nothing was issued since. */
  readonly left?: number;
}

/** With the number of browsers, and of asks that wait for the person by name. */
export interface ListedPerson extends Person {
  readonly browsers: number;
  readonly waiting: number;
}

export const LISTED_PERSON: Model<ListedPerson> = {
  name: "Person",
  must: "a person",
  fields: {
    id: NAME,
    since: AT,
    browsers: COUNT,
    waiting: COUNT,
    seen: { kind: "time" },
    left: { kind: "time" },
  },
};

export interface RemovedPerson {
  readonly person: string;
  readonly tokens: number;
  readonly browsers: number;
  /** The ids of the asks that waited for the person by name. */
  readonly waiting: readonly string[];
  readonly to?: string;
}

export const REMOVED_PERSON: Model<RemovedPerson> = {
  name: "RemovedPerson",
  must: "a removed person",
  fields: {
    person: NAME,
    tokens: COUNT,
    browsers: COUNT,
    waiting: { kind: "ids", max: LIMITS.recipients, required: true },
    to: OPTIONAL_NAME,
  },
};

/** More people for an ask. */
export interface ReassignInput {
  readonly to: readonly string[];
}

export const REASSIGN_INPUT: Model<ReassignInput> = {
  must: "a list of people",
  fields: {
    to: {
      kind: "ids",
      ...{ min: 1, max: LIMITS.recipients },
      required: true,
      must: `be a list of 1 to ${LIMITS.recipients} person ids`,
    },
  },
};
