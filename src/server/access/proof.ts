// How a server proves that it is the one a client knows, before the client sends a credential: it answers a nonce under a
// key that only it and that client have. The key is derived from an id and the secret of the store, so every server of
// the store can answer, and nothing is kept for each client.
//
// The answer names the address that the connection reached. A program on another port or address, which passes the
// nonce on to the real server, gets an answer that does not fit (docs/decisions/0019).

import { createHmac } from "node:crypto";
import type { Socket } from "node:net";
import type { Auth } from "./auth.js";
import { isLoopback } from "./hosts.js";
import { newSecret } from "./secrets.js";

/** The address that a connection reached. Behind a container or a proxy only its port stays the same. */
export function reachedAddress(address: string | undefined, port: number | undefined): string {
  const plain = address?.replace(/^::ffff:/, "") ?? "";
  return `${isLoopback(plain) ? plain : "*"}:${port ?? ""}`;
}

/** The answer to a nonce on a connection that reached this address. */
export function proofOf(key: string, nonce: string, address: string): string {
  return createHmac("sha256", key).update(`${nonce}\n${address}`).digest("base64url");
}

/** A new id and its key; undefined where the host identifies callers, and the server has no secret. */
export async function newProof(
  auth: Auth,
): Promise<{ readonly id: string; readonly key: string } | undefined> {
  const id = newSecret();
  const key = await auth.proofKey(id);
  return key === undefined ? undefined : { id, key };
}

/** What a page needs to check this server later, as one text. */
export async function pageProof(auth: Auth, socket: Socket | undefined): Promise<string | undefined> {
  const proof = await newProof(auth);
  return proof && `${proof.id} ${proof.key} ${reachedAddress(socket?.localAddress, socket?.localPort)}`;
}
