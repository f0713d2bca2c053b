// The real opencode in a pseudo-terminal, with a home folder of its own and a model on loopback. It reaches no network.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../support/postgres.ts";
import { type ProgramTerminal, startInTerminal } from "../program-terminal.ts";

/** What the package opencode-ai installs on this platform. */
const BINARY = join(
  import.meta.dirname,
  `../node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`,
);

export interface OpencodeProgram extends ProgramTerminal {
  readonly url: string;
  readonly project: string;
  close(): Promise<void>;
}

export async function startOpencode(modelUrl: string, settings: object = {}): Promise<OpencodeProgram> {
  const home = mkdtempSync(join(tmpdir(), "askline-opencode-"));
  const project = join(home, "project");
  mkdirSync(project);
  const port = await freePort();
  const environment = {
    HOME: home,
    PATH: process.env.PATH ?? "",
    TERM: "xterm-256color",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      model: "loopback/scripted",
      small_model: "loopback/scripted",
      provider: {
        loopback: {
          npm: "@ai-sdk/anthropic",
          options: { baseURL: `${modelUrl}/v1`, apiKey: "none" },
          models: { scripted: { name: "scripted" } },
        },
      },
      ...settings,
    }),
  };
  const terminal = startInTerminal(BINARY, ["--port", String(port)], { project, environment });
  return {
    ...terminal,
    url: `http://127.0.0.1:${port}`,
    project,
    async close() {
      terminal.kill();
      await terminal.exited;
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
