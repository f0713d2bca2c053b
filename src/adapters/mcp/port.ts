import type { Client } from "../../client/index.js";
import type { Ask } from "../../core/index.js";

/** What the tools need of a hub: a client of a server, or a hub in this process. */
export interface AgentPort extends Pick<Client, "post" | "wait" | "get" | "list" | "withdraw"> {
  /** Ended asks whose outcome the agent has not fetched, newest first; absent for a hub in this process. */
  undelivered?(limit?: number): Promise<readonly Ask[]>;
}
