// A coding agent that `askline connect` can set up: one file for each, listed in agents.ts. It plans changes to the
// agent's own files; connect shows and writes them.

/** Where an agent looks for its files. */
export interface Place {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface PlanOptions {
  /** The installed command, as a program and its first argument. */
  readonly command: readonly [program: string, script: string];
  /** Flags that lead our command to the same data folder. */
  readonly flags: readonly string[];
  /** Hides the agent's own dialog while it waits; for runs without a terminal. */
  readonly exclusive: boolean;
  /** The agent calls the server itself, with this token, instead of starting our command for each event. */
  readonly http?: { readonly url: string; readonly token: string };
}

export type AgentOption = "exclusive" | "http";

/** A new text for a file. */
export interface FileChange {
  readonly path: string;
  /** Undefined if it does not exist. */
  readonly before: string | undefined;
  /** Undefined if it is to be removed. */
  readonly after: string | undefined;
  readonly about: readonly string[];
}

/** A command of the agent's own that changes its files. */
export interface CommandChange {
  readonly run: readonly string[];
  readonly about: string;
}

export interface Plan {
  readonly files: readonly FileChange[];
  readonly commands: readonly CommandChange[];
  /** Files that are left alone, and why. */
  readonly problems: readonly string[];
}

export interface CodingAgent {
  readonly name: string;
  /** Its name on the server. */
  readonly agentId: string;
  readonly title: string;
  /** Which of these options it has a use for. */
  readonly takes: readonly AgentOption[];
  /** What the person still has to do once it is connected. */
  readonly afterwards?: string;
  /** Where it is installed, in words; undefined if it is not. */
  find(place: Place): string | undefined;
  connect(place: Place, options: PlanOptions): Plan;
  disconnect(place: Place): Plan;
  /** What to add by hand, as text. */
  print(options: PlanOptions, place: Place): string;
}
