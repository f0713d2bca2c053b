import type { ParkPort } from "../../../src/agents/frameworks/ag-ui/park.ts";
import type { SettleSource } from "../../../src/agents/frameworks/langchain/resume.ts";
import type {
  Ask,
  AskInput,
  DeliveredAsk,
  DeliveredOutcome,
  Resolver,
  ResumeLease,
} from "../../../src/index.ts";

/** A call of the ask tool that the model double makes. */
export interface ScriptedCall {
  readonly id: string;
  readonly input: unknown;
}

/** What an agent sees of a hub: a hub in this process, or a client of a server. */
export interface AgentHub extends Resolver<DeliveredOutcome>, SettleSource, ParkPort {
  post(request: AskInput): Promise<DeliveredAsk>;
  wait(id: string, options?: { readonly signal?: AbortSignal }): Promise<DeliveredOutcome>;
  withdraw(id: string): Promise<DeliveredAsk>;
  claimResume(id: string, options?: { readonly leaseMs?: number }): Promise<ResumeLease | undefined>;
}

export interface Setting {
  readonly hub: AgentHub;
  readonly session: string;
  /** Fields that the host adds to each ask. */
  readonly ask?: { readonly timeoutMs?: number; readonly allowPartial?: boolean };
  readonly signal?: AbortSignal;
  /** Where a parked run is stored while no process runs it. */
  readonly storage?: RunStorage;
}

export interface RunStorage {
  load(): Buffer | undefined;
  save(run: Buffer | string): void;
}

/** How the suite runs an agent of one framework, with its own model double. */
export interface AdapterDriver {
  readonly name: string;
  /** The model makes these calls of the ask tool at once, then ends. Returns what the model read, by call id. */
  ask(calls: readonly ScriptedCall[], setting: Setting): Promise<Readonly<Record<string, string>>>;
  /** The model calls `deploy`, which needs an approval. Returns what the model read, and what `deploy` ran with. */
  approve(
    args: DeployArgs,
    setting: Setting,
  ): Promise<{ readonly text: string; readonly ran: readonly unknown[] }>;
  /** Whether the framework makes the next call only when the one before has its result. */
  readonly oneByOne?: boolean;
  /** Ends what the driver has started. */
  close?(): Promise<void>;
}

export interface DeployArgs {
  readonly target: string;
}

/** Waits until the asks have ended; an abort withdraws them, as a host does that gives up a parked run. */
export async function untilEnded(asks: readonly Ask[], { hub, signal }: Setting): Promise<void> {
  const withdraw = (): void => {
    for (const { id } of asks) hub.withdraw(id).catch(() => undefined);
  };
  signal?.addEventListener("abort", withdraw, { once: true });
  if (signal?.aborted) withdraw();
  await Promise.all(asks.map(({ id }) => hub.wait(id)));
}
