// The real opencode in a pseudo-terminal, with a home folder of its own and a model on loopback. It reaches no network.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProgramTerminal, startInTerminal } from "../program-terminal.ts";

/** What the package opencode-ai installs on this platform. */
const BINARY = join(
  import.meta.dirname,
  `../node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`,
);

export interface OpencodeHome {
  readonly home: string;
  readonly project: string;
  readonly environment: Record<string, string>;
  remove(): void;
}

export function createOpencodeHome(modelUrl: string, settings: object = {}): OpencodeHome {
  const home = mkdtempSync(join(tmpdir(), "askline-opencode-"));
  const project = join(home, "project");
  mkdirSync(project);
  const folder = join(home, ".config/opencode");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  // It installs the types of plugins from the network, unless they are locked.
  const lock = { packages: { "": { dependencies: { "@opencode-ai/plugin": "1.18.33" } } } };
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
  const own = {
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
  };
  writeFileSync(join(folder, "opencode.jsonc"), `// mine\n${JSON.stringify(own, null, 2)}\n`);
  const environment = {
    HOME: home,
    PATH: process.env.PATH ?? "",
    TERM: "xterm-256color",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  };
  return {
    ...{ home, project, environment },
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export function startOpencode(home: OpencodeHome): ProgramTerminal {
  return startInTerminal(BINARY, [], home);
}
