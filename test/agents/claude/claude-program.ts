// A home folder of its own for the real Claude Code.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const KEY = "sk-ant-api03-askline-loopback-0123456789abcdefghij";

export interface ClaudeHome {
  readonly home: string;
  readonly project: string;
  readonly environment: Record<string, string>;
  remove(): void;
}

/** A home folder in which Claude Code starts without questions, and a trusted project. */
export function createClaudeHome(modelUrl: string, settings: object = {}): ClaudeHome {
  const home = mkdtempSync(join(tmpdir(), "askline-claude-"));
  const project = join(home, "project");
  mkdirSync(project);
  mkdirSync(join(home, ".claude"));
  writeFileSync(join(home, ".claude", "settings.json"), JSON.stringify(settings, null, 2));
  const state = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  writeFileSync(join(home, ".claude.json"), JSON.stringify(state));
  const environment = {
    HOME: home,
    PATH: process.env.PATH ?? "",
    TERM: "xterm-256color",
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  };
  return {
    ...{ home, project, environment },
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}
