// Where a prompt comes from. This file alone writes an agent's name, its path and its folder into an ask;
// core/model/folder.ts reads the folder.

import { LIMITS } from "../../core/kit/limits.js";
import { lastPart } from "../../core/kit/tools.js";
import type { AskInput } from "../../core/model/ask.js";
import { isFullPath } from "../../core/model/folder.js";

export interface Origin {
  /** What the agent calls itself. */
  readonly agent?: string | undefined;
  /** The agent's own conversation. */
  readonly session: string;
  /** The folder that the agent works in, as the agent names it: nobody has verified it. */
  readonly folder?: string | undefined;
  /** The names that lead to the agent that asks, such as those of its subagents. */
  readonly path?: readonly (string | undefined)[] | undefined;
}

const LONGEST_NAME = 1_000;

type OriginFields = Pick<AskInput, "agentId" | "agentPath" | "metadata">;

/**
 * The fields of an ask that say where it comes from. A project is a full path; another name of a folder could be any of
 * several, so it is kept for people only, and no rule reads it.
 */
export function originFields({ agent, folder, path = [] }: Omit<Origin, "session">): OriginFields {
  const project = isFullPath(folder) ? folder : undefined;
  const agentPath = [lastPart(project), ...path].flatMap((name) => name?.slice(0, LIMITS.idLength) ?? []);
  return {
    agentId: agent?.slice(0, LIMITS.idLength),
    agentPath: agentPath.length > 0 ? agentPath.slice(0, LIMITS.agentPathItems) : undefined,
    metadata:
      // Not cut: what is left of a long name could be the path of another folder.
      project !== undefined
        ? { project }
        : folder && folder.length <= LONGEST_NAME
          ? { cwd: folder }
          : undefined,
  };
}
