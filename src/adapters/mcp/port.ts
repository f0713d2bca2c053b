import type { Client, ClientReport } from "../../client/index.js";
import type { Ask } from "../../core/index.js";

/** What the tools need of a hub: a client of a server, or a hub in this process. */
export interface AgentPort extends Pick<Client, "post" | "wait" | "get" | "list" | "withdraw"> {
  /** Ended asks whose outcome the agent has not fetched, newest first; absent for a hub in this process. */
  undelivered?(limit?: number): Promise<readonly Ask[]>;
  /**
   * Reports what a person answered in the client's own form or in a card. Without it, such an ask ends as withdrawn.
   * `via` is for a hub in this process; a server knows the agent by its token.
   */
  report?(
    id: string,
    report: ClientReport,
    options: { readonly via: string; readonly settlementId?: string },
  ): Promise<Ask>;
}
