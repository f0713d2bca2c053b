import type { Client } from "../../client/connect.js";
import type { Ask } from "../../core/model/ask.js";
import type { ReportPort } from "../relay/port.js";

/**
 * What the tools need of a hub: a client of a server, or a hub in this process. It reports what a person answered in the
 * client's own form or in a card.
 */
export interface AgentPort
  extends Pick<Client, "post" | "wait" | "get" | "list" | "withdraw">,
    Pick<ReportPort, "report"> {
  /** Ended asks whose outcome the agent has not fetched, newest first; absent for a hub in this process. */
  undelivered?(limit?: number): Promise<readonly Ask[]>;
}
