// A conversation with an agent of the Agent Client Protocol: prompts go in, permission requests and forms go to the hub.
//
//   idle    --prompt-----------------------> turn
//   turn    --the agent ends it------------> idle; what a person wrote to an ask is the next prompt
//           --interrupted------------------> cancelling: its asks are withdrawn
//   cancelling --the agent ends it, or 5 s-> idle
//   any     --the agent's process ends-----> ended

import {
  client,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type StopReason,
} from "@agentclientprotocol/sdk";
import { type AcpHandlers, type AcpOptions, type AcpPort, acpHandlers } from "../../agents/acp/handlers.js";
import { LIMITS } from "../../core/kit/limits.js";
import { messageOf, within } from "../../core/kit/tools.js";
import { displayLine } from "../../core/text/display.js";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";
import { packageVersion } from "../world/package-version.js";
import type { World } from "../world/world.js";
import { startAgent } from "./agent-process.js";
import type { UpdatePrinter } from "./print-updates.js";

export interface AgentRun {
  readonly agent: readonly string[];
  readonly cwd: string;
  /** An earlier session of the agent, to go on with. */
  readonly resume: string | undefined;
  readonly port: AcpPort;
  readonly options: AcpOptions;
  readonly printer: UpdatePrinter;
  readonly world: World;
}

export interface Conversation {
  readonly sessionId: string;
  /** Sends a prompt, and then what people wrote to its asks. An abort cancels the turn. */
  turn(text: string, signal: AbortSignal): Promise<StopReason>;
}

/** How long a cancelled turn may take to end. */
const CANCEL_WITHIN_MS = 5_000;
const AUTH_REQUIRED = -32_000;

/** Starts the agent, talks to it, and ends it. */
export async function runAgent<T>(
  { agent: command, cwd, resume, port, options, printer, world }: AgentRun,
  talk: (conversation: Conversation) => Promise<T>,
): Promise<T> {
  const written: string[] = [];
  let agentId: string | undefined;
  const handlers = acpHandlers(port, {
    ...options,
    cwd,
    // The agent says its name first, and asks later.
    get ask() {
      return { ...options.ask, ...(agentId !== undefined && { agentId }) };
    },
    onMessage: (text) => written.push(text),
  });
  const child = startAgent(command, cwd, world);
  const connection = client({ name: "askline" })
    .onRequest("session/request_permission", handlers.requestPermission)
    .onRequest("elicitation/create", handlers.createElicitation)
    .onNotification("session/update", ({ params }) => {
      handlers.sessionUpdate({ params });
      printer.print(params.update);
    })
    .connect(ndJsonStream(child.input, child.output));
  const { agent } = connection;
  // A process that ends closes its output, but one that could not be started has none.
  const gone = child.ended.then((how) => {
    throw new CommandError(`the agent ${displayLine(command[0] ?? "")} ${how}`, FAULT_EXIT_CODE);
  });
  gone.catch(() => undefined);
  const alive = async <R>(response: Promise<R>): Promise<R> => {
    try {
      return await Promise.race([response, gone]);
    } catch (error) {
      // The connection closes a moment before the process has ended, whose exit code says more.
      if (connection.signal.aborted) await within(world.clock, 1_000, gone, () => undefined as never);
      throw error;
    }
  };

  try {
    const initialized = agent.request("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { ...handlers.capabilities },
      clientInfo: { name: "askline", version: packageVersion() },
    });
    const { agentCapabilities, agentInfo, authMethods } = await alive(initialized);
    agentId = agentInfo ? displayLine(agentInfo.name).slice(0, LIMITS.idLength) || undefined : undefined;
    if (resume !== undefined && agentCapabilities?.loadSession !== true) {
      throw new CommandError("the agent cannot go on with an earlier session; omit --resume");
    }
    const place = { cwd, mcpServers: [] };
    const opened: Promise<{ readonly sessionId?: string }> =
      resume === undefined
        ? agent.request("session/new", place)
        : agent.request("session/load", { ...place, sessionId: resume }).then(() => ({}));
    const { sessionId = resume ?? "" } = await alive(opened).catch((error: unknown) => {
      if (!(error instanceof RequestError && error.code === AUTH_REQUIRED)) throw error;
      const ways = (authMethods ?? []).map(({ name }) => displayLine(name)).join(", ");
      throw new CommandError(
        `the agent needs you to sign in first${ways === "" ? "" : ` (${ways})`}; run it once by itself and sign in there`,
        FAULT_EXIT_CODE,
      );
    });
    const prompt = async (text: string): Promise<StopReason> => {
      const response = agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
      return (await alive(response)).stopReason;
    };
    return await talk({
      sessionId,
      async turn(text, signal) {
        let stopReason = await interruptible(prompt(text), sessionId, signal, handlers);
        for (let next = written.shift(); next !== undefined && !signal.aborted; next = written.shift()) {
          printer.say(`askline: sent to the agent: ${displayLine(next)}`);
          stopReason = await interruptible(prompt(next), sessionId, signal, handlers);
        }
        return stopReason;
      },
    });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new CommandError(`the agent refused: ${displayLine(messageOf(error))}`, FAULT_EXIT_CODE, {
      cause: error,
    });
  } finally {
    connection.close();
    await child.close();
  }

  async function interruptible(
    turn: Promise<StopReason>,
    sessionId: string,
    signal: AbortSignal,
    { cancel }: AcpHandlers,
  ): Promise<StopReason> {
    let cancelTimer = (): void => undefined;
    let stop = (): void => undefined;
    const late = new Promise<StopReason>((resolve) => {
      stop = () => {
        cancel(sessionId);
        agent.notify("session/cancel", { sessionId }).catch(() => undefined);
        cancelTimer = world.clock.schedule(CANCEL_WITHIN_MS, () => resolve("cancelled"));
      };
    });
    signal.addEventListener("abort", stop, { once: true });
    try {
      if (signal.aborted) stop();
      return await Promise.race([turn, late]);
    } finally {
      signal.removeEventListener("abort", stop);
      cancelTimer();
      printer.endTurn();
    }
  }
}
