// The proof that this server is the one a client knows. Needs no credential: a client asks before it sends one.

import { AsklineError } from "../../core/model/error.js";
import { proofOf, reachedAddress } from "../access/proof.js";
import { PROOF_ID, PROOF_NONCE } from "../http/parameters.js";
import { json, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";

const PROOF: Operation = {
  id: "proveServer",
  summary: "Prove that this is the server that made an id",
  description:
    "For our own command line and pages, which send no credential before. The proof is an HMAC of the nonce and of the address that the connection reached, under the key that was handed out with the id.",
  parameters: [PROOF_ID, PROOF_NONCE],
  responses: { 200: { description: "The proof.", schema: "ProofResponse" } },
  errors: ["unsupported"],
};

export const proofRoutes: readonly Route[] = [
  { path: "/proof", methods: { GET: { about: PROOF, handle: prove } } },
];

async function prove({ url, request, services }: Call): Promise<Reply> {
  const id = PROOF_ID.read(url.searchParams);
  const nonce = PROOF_NONCE.read(url.searchParams);
  if (id === undefined || nonce === undefined) {
    throw new AsklineError("invalid_request", "send id and nonce");
  }
  const key = await services.auth.proofKey(id);
  if (key === undefined) throw new AsklineError("unsupported", "this server has no secret of its own");
  const { localAddress, localPort } = request.incoming?.socket ?? {};
  return json(200, { proof: proofOf(key, nonce, reachedAddress(localAddress, localPort)) });
}
