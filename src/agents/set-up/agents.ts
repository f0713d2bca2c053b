import type { CodingAgent } from "./agent.js";
import { claude } from "./claude.js";
import { codex } from "./codex.js";
import { opencode } from "./opencode.js";

export const AGENTS: readonly CodingAgent[] = [claude, codex, opencode];
