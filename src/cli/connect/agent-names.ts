// Names of agents' tokens. Agents with the same name and owner are one agent: they share asks and keys.

import { randomBytes } from "node:crypto";
import { LIMITS } from "../../core/kit/limits.js";
import type { TokenInfo } from "../../core/model/token.js";
import type { Auth } from "../../server/access/auth.js";

/** The tokens whose agent could be taken for an agent of this name and owner. */
export async function namesakes(
  auth: Auth,
  { name, owner }: Pick<TokenInfo, "name" | "owner">,
  now: number,
): Promise<readonly TokenInfo[]> {
  // What was asked without an owner is compared by name, so a token without one is a namesake of all.
  const isSame = (other: string | undefined): boolean =>
    other === owner || other === undefined || owner === undefined;
  return (await auth.listTokens()).filter(
    (token) =>
      token.role === "agent" &&
      token.name === name &&
      isSame(token.owner) &&
      (token.expiresAt ?? now + 1) > now,
  );
}

/** `wanted` if no token has this name, or else it and some characters: agent-7f3a. */
export async function freeName(auth: Auth, wanted?: string): Promise<string> {
  const taken = new Set((await auth.listTokens()).map(({ name }) => name));
  if (wanted !== undefined && !taken.has(wanted)) return wanted;
  for (;;) {
    const name = `${(wanted ?? "agent").slice(0, LIMITS.idLength - 5)}-${randomBytes(2).toString("hex")}`;
    if (!taken.has(name)) return name;
  }
}
