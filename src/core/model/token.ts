import { LIMITS } from "../kit/limits.js";
import { AT, NAME, OPTIONAL_NAME } from "../read/common-fields.js";
import type { Model } from "../read/field.js";
import { ROLES, type Viewer } from "./visibility.js";

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
