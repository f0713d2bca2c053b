import { afterAll, beforeAll } from "vitest";
import type { Ask, AskInput } from "../../src/index.ts";
import { runHere, type WorldOptions } from "./in-process.ts";
import { type Ended, endProcesses } from "./processes.ts";
import { newFolder, post, removeFolders, type ServedHere, startHere } from "./servers.ts";

export const AUTH = { question: "Which auth?", header: "Auth", options: ["OAuth", "API key"] };
export const SDKS = {
  question: "Which SDKs?",
  header: "SDKs",
  multiSelect: true,
  options: ["Go", "Rust, unsafe", "Zig"],
};
export const DEPLOY = {
  approval: { actions: [{ name: "build" }, { name: "deploy", args: { to: "production" } }] },
};

/** A server of Ana's for all tests of a file, and command lines that run in this process and find it. */
export function shareServer() {
  let server: ServedHere;
  beforeAll(async () => {
    server = await startHere(newFolder(), { args: ["--db", "memory:", "--person", "ana"] });
  });
  afterAll(async () => {
    await server.stop();
    endProcesses();
    removeFolders();
  });
  return {
    server: (): ServedHere => server,
    post: (ask: AskInput): Promise<Ask> => post(server, ask),
    here: (args: readonly string[], options: WorldOptions = {}): Promise<Ended> =>
      runHere(args, { ...options, env: { ...server.env, ...options.env } }),
  };
}
