import type { Viewer } from "../../core/model/visibility.js";

/** The caller of a request, as its credential says. */
export interface Principal extends Viewer {
  readonly credential: Credential;
}

/** Which credential it was, without the secret: enough to look whether it still counts. */
export type Credential =
  | { readonly kind: "token"; readonly id: string }
  | { readonly kind: "cookie"; readonly hash: string }
  | { readonly kind: "link"; readonly expiresAt: number };
