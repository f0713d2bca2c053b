import type { Client } from "../../../src/client/index.ts";
import type { RealServer } from "../../client/real-server.ts";
import type { relayStories } from "./relay-stories.ts";

/** What an agent was sent: its person allowed it, refused it, filled in its form, or nothing that decides. */
export type Read = "yes" | "no" | { readonly rooms: number } | undefined;

export interface RelaySetting {
  readonly server: RealServer;
  /** Of an agent that may report for Ana. */
  readonly token: string;
  client(): Client;
}

/** A prompt of the agent. */
export interface Prompted {
  /** Resolves once the agent was sent something, or nothing follows. */
  readonly read: Promise<Read>;
  /** What is read when the agent has the same prompt again, in the process that runs now. */
  again(): Promise<Read>;
  /** The person allows it at the agent. */
  allowThere?(): unknown;
  /** The agent no longer waits. */
  closeThere?(): unknown;
  /** The agent went on while no relay ran; called before the next one starts. */
  goOn?(): unknown;
}

export interface RelayAgent {
  /** Starts a process with the agent's relay; returns how to kill it. */
  start(): Promise<() => Promise<unknown>>;
  /** The agent wants to deploy to a target. */
  prompt(target: string): Prompted;
  /** The agent shows a form with a whole number, `rooms`. */
  form?(): Prompted;
  /** Parks a run for a decision; what it returns resumes the run, and says whether it went on. */
  park?(target: string): Promise<() => Promise<boolean>>;
  /** Called in the next process, for an agent that says only later what is over. */
  afterRestart?(): unknown;
}

export type RelayStory = keyof typeof relayStories;

/** How the suite runs the relay of one agent, against the agent's own program, protocol or a recording of it. */
export interface RelayDriver {
  readonly name: string;
  /** The stories that this agent cannot have, each with the reason. */
  readonly cannot: Partial<Readonly<Record<RelayStory, string>>>;
  /** What an ask ends with that was allowed at the agent: withdrawn, if the agent does not say how it was decided. */
  readonly there?: "decided" | "withdrawn";
  open(setting: RelaySetting): Promise<RelayAgent>;
  close?(): Promise<void>;
}
