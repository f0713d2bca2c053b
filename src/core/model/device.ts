import { AT, NAME } from "../read/common-fields.js";
import type { Model } from "../read/field.js";

/** A browser in which a person is signed in. */
export interface Device {
  readonly id: string;
  readonly signedInAt: number;
  readonly expiresAt: number;
  /** The browser and its system, such as `Firefox on Android`; absent if it did not say. */
  readonly name?: string;
  /** The browser that asked. */
  readonly current?: true;
}

export const DEVICE: Model<Device> = {
  must: "a device",
  fields: {
    id: NAME,
    signedInAt: AT,
    expiresAt: AT,
    name: {
      kind: "text",
      max: 200,
      about: "The browser and its system, such as `Firefox on Android`.",
    },
    current: { kind: "mark", about: "The browser that sent this request." },
  },
};
