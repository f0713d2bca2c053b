import { createHash, randomBytes } from "node:crypto";

/** 256 random bits as text for a URL, a header or a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form of a secret. 256 random bits cannot be guessed, so the hash needs neither salt nor slowness. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
