export const ROLES = ["agent", "person", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Who makes a request, as their credential says. */
export interface Principal {
  readonly role: Role;
  /** For an agent, the name that its asks are kept under; for a person, the person's id. */
  readonly name: string;
  /** Only these sessions; every session where it is not given. */
  readonly sessions?: readonly string[];
  /** Only this ask: the holder of a signed link. */
  readonly askId?: string;
  readonly credential: Credential;
}

/** Which credential it was, without the secret: enough to look whether it still counts. */
export type Credential =
  | { readonly kind: "token"; readonly id: string }
  | { readonly kind: "cookie"; readonly hash: string }
  | { readonly kind: "link"; readonly expiresAt: number };
