import type { Viewer } from "../../core/model/visibility.js";

/** Who may open a session: its agent, or also a person, with a first message that names the agent. */
export const OPEN_SESSIONS = ["agents", "people"] as const;
export type OpenSessions = (typeof OPEN_SESSIONS)[number];

/** The caller of a request, by its credential. */
export interface Principal extends Viewer {
  /** For an agent: the people whose answers it may report. */
  readonly reports?: readonly string[];
  readonly credential: Credential;
}

/** Identifies a credential without its secret, to check later whether it is still valid. */
export type Credential =
  | { readonly kind: "token"; readonly id: string }
  | { readonly kind: "cookie"; readonly hash: string }
  /** A caller that the host's `authenticate` identified. */
  | { readonly kind: "host"; readonly id: string; readonly isValid: () => Promise<boolean> }
  | {
      readonly kind: "link";
      readonly expiresAt: number;
      readonly person: string;
      readonly epoch: number;
      /** The one origin that may frame its page. */
      readonly frame?: string;
    };
