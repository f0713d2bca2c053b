import { createHash } from "node:crypto";

export function sha256(data: string | Uint8Array, encoding: "hex" | "base64" | "base64url" = "hex"): string {
  return createHash("sha256").update(data).digest(encoding);
}
