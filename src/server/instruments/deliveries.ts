// The seam between a server and the delivery of messages, which the program that runs both implements.

export interface AskDeliveries {
  /** What waits, fails or was given up for an ask, without addresses. */
  ofAsk(askId: string): Promise<readonly AskDelivery[]>;
}

export interface AskDelivery {
  readonly state: "waiting" | "failing" | "dead";
  /** Who receives it, without secrets. */
  readonly title: string;
  readonly type: string;
  readonly at: number;
  readonly attempts: number;
  readonly lastAt?: number;
  readonly lastError?: string;
  readonly diedAt?: number;
}
