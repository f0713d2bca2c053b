import { NAME } from "../read/common-fields.js";
import type { Model } from "../read/field.js";

/** The shortest, usual and longest lease, in milliseconds. */
export const LEASE_MS: { readonly min: number; readonly usual: number; readonly max: number } = {
  min: 1_000,
  usual: 60_000,
  max: 3_600_000,
};

/** Claims or renews the right to resume a run, or ends it. */
export interface ResumeInput {
  readonly holder: string;
  readonly leaseMs: number;
  readonly end?: "done" | "release";
}

export const RESUME_INPUT: Model<ResumeInput> = {
  must: "a holder",
  fields: {
    holder: { ...NAME, about: "Names the process; must be unique to it." },
    leaseMs: { kind: "integer", min: LEASE_MS.min, max: LEASE_MS.max, default: LEASE_MS.usual },
    end: {
      kind: "choice",
      choices: ["done", "release"],
      must: "be done or release, or absent to claim the lease",
      about: "What to do with the lease instead of claiming or renewing it.",
    },
  },
};
