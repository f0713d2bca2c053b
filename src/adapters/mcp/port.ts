import type { Client } from "../../client/index.js";

/** What the tools need of a hub: a client of a server, or a hub in this process. */
export type AgentPort = Pick<
  Client,
  "post" | "wait" | "get" | "list" | "withdraw" | "claimResume" | "finishResume"
>;
