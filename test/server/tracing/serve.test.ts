import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { readCredentials } from "../../../src/cli/connect/credentials.js";
import { connect } from "../../../src/client/index.ts";
import { loadTracing } from "../../../src/server/tracing/index.ts";
import { ASKLINE } from "../../cli/processes.ts";
import { registeredSdk, traceOf } from "./sdk.ts";

const sdk = registeredSdk();

interface Span {
  readonly name: string;
  readonly spanContext: { readonly traceId: string };
  readonly links: readonly { readonly context: { readonly traceId: string } }[];
}

it("continues the trace in askline serve if it was started with its own SDK", async () => {
  const folder = mkdtempSync(join(tmpdir(), "askline-traces-"));
  const spans = join(folder, "spans.jsonl");
  const setup = pathToFileURL(join(import.meta.dirname, "sdk-process.mjs")).href;
  const args = ["--import", setup, ASKLINE, "serve", "--port", "0", "--data", folder, "--json"];
  const server = spawn(process.execPath, args, {
    env: { ...process.env, SPANS: spans },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(server, "exit");
  onTestFinished(async () => {
    server.kill("SIGKILL");
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  const [banner] = (await once(server.stdout, "data")) as [Buffer];
  const { url } = JSON.parse(banner.toString()) as { readonly url: string };
  const credentials = readCredentials(folder, url);
  const tracing = await loadTracing();
  const agent = connect({ url, token: credentials?.agent ?? "", tracing });
  const person = connect({ url, token: credentials?.person ?? "" });
  onTestFinished(() => Promise.all([agent.close(), person.close()]).then(() => undefined));
  const stop = new AbortController();
  const asking = agent.ask({ questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });
  for await (const { id } of person.watch({}, { signal: stop.signal })) {
    await person.answer(id, { answers: [{ question: "q1", selected: ["o1"] }] });
    break;
  }
  stop.abort();
  expect((await asking).kind).toBe("answered");
  server.kill("SIGTERM");
  await exited;
  const told: readonly Span[] = readFileSync(spans, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const trace = traceOf(sdk.only("askline.ask"));
  const inTrace = new Set(
    told.filter(({ spanContext }) => spanContext.traceId === trace).map(({ name }) => name),
  );
  expect([...inTrace]).toEqual(
    expect.arrayContaining(["POST /v1/asks", "askline.store.insert", "askline.resume"]),
  );
  const answer = told.find(({ name }) => name === "POST /v1/asks/{id}/answer");
  expect(answer?.spanContext.traceId).not.toBe(trace);
  expect(answer?.links.map(({ context }) => context.traceId)).toEqual([trace]);
});
