import type { CodingAgent } from "./agent.js";
import { claude } from "./claude.js";

export const AGENTS: readonly CodingAgent[] = [claude];
