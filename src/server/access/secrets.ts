import { createHash, randomBytes } from "node:crypto";

/** 256 random bits as text that fits into a URL, a header and a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * What is kept of a secret. A plain hash is enough: with 256 random bits there is nothing to guess, so
 * neither salt nor slowness would add anything.
 */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
