import { LIMITS } from "../kit/limits.js";
import { AT, NAME, OPTIONAL_NAME } from "../read/common-fields.js";
import type { Model } from "../read/field.js";
import { ROLES, type Role, type Viewer } from "./visibility.js";

/** Everything about a token except its secret. */
export interface TokenInfo extends Pick<Viewer, "role" | "name" | "owner" | "sessions"> {
  readonly id: string;
  readonly createdAt: number;
  /** For an agent: the people whose answers it may report, given in a form of its own host. */
  readonly reports?: readonly string[];
  readonly expiresAt?: number;
  /** Created by a program on first start, not by a person on purpose. */
  readonly automatic?: true;
}

export const TOKEN_INFO: Model<TokenInfo> = {
  name: "TokenInfo",
  must: "a token",
  fields: {
    id: NAME,
    role: { kind: "choice", choices: ROLES, required: true },
    name: NAME,
    createdAt: AT,
    owner: OPTIONAL_NAME,
    sessions: { kind: "ids", max: LIMITS.recipients },
    reports: { kind: "ids", max: LIMITS.recipients },
    expiresAt: { kind: "time" },
    automatic: { kind: "mark" },
  },
};

const { role, name, owner, sessions, reports } = TOKEN_INFO.fields;

/** The caller, as its own credential says. */
export const CALLER: Model<Pick<TokenInfo, "role" | "name" | "owner" | "sessions" | "reports">> = {
  must: "a caller",
  fields: { role, name, owner, sessions, reports },
};

/** The most people that one token reports for. */
const MOST_REPORTS = 20;

/** How long a token is valid that was created over HTTP. */
const TOKEN_MINUTES = { usual: 60, max: 525_600 };

/** A token that is created over HTTP. One of an admin is created at the command line. */
export interface TokenInput extends Pick<TokenInfo, "name" | "owner" | "sessions" | "reports"> {
  readonly role: Exclude<Role, "admin">;
  readonly expiresInMinutes: number;
}

export const TOKEN_INPUT: Model<TokenInput> = {
  must: "a role and a name",
  fields: {
    role: { kind: "choice", choices: ["agent", "person"], required: true },
    name: { ...NAME, about: "The name of the agent, or the id of the person." },
    owner: {
      ...OPTIONAL_NAME,
      must: "be the id of a person",
      about:
        "For an agent: the person that it works for. Agents with the same name and other owners do not see its asks.",
    },
    sessions: {
      kind: "ids",
      ...{ min: 1, max: Number.POSITIVE_INFINITY, length: LIMITS.sessionLength },
      must: "be a list of session ids; a token with an empty list of sessions could do nothing, so omit it",
      about: "The token works in these sessions only; in all by default.",
    },
    reports: {
      kind: "ids",
      ...{ min: 1, max: MOST_REPORTS },
      must: `be a list of 1 to ${MOST_REPORTS} person ids`,
      about:
        "For an agent: the people whose answers it may report, which they gave in a form of its own host.",
    },
    expiresInMinutes: {
      kind: "integer",
      ...{ min: 1, max: TOKEN_MINUTES.max, default: TOKEN_MINUTES.usual },
      must: `be a whole number from 1 to ${TOKEN_MINUTES.max} (a year)`,
    },
  },
};
