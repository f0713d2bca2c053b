import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Ask } from "../../src/index.ts";
import { ASKLINE, endProcesses, type Running, start } from "./processes.ts";
import { newFolder, removeFolders, serveHere } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const shell = promisify(execFile);

/** Runs a line that was printed for people to copy, as a shell would. */
async function copy(line: string): Promise<string> {
  return (await shell("/bin/sh", ["-c", line])).stdout;
}

/** The last `curl` line that answers something. */
function lastCurlLine(text: string): string {
  return (
    text
      .match(/^ {2}(curl .*\/(answer|decide))$/gm)
      ?.at(-1)
      ?.trim() ?? "none"
  );
}

describe("askline demo", () => {
  it("asks single, multi, free text, preview and approval, and ends when a scripted person answered", async () => {
    const server = await serveHere();
    const { code, stdout, stderr } = await server.run(["demo", "--answer-all"]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    for (const text of [
      "I would add PostgreSQL to the service.",
      "I would run before each release: Unit tests, End-to-end tests.",
      'I would tag the release "Aurora".',
      "     | INFO  order 42 took 7 ms",
      "I would write log lines as JSON.",
      "I would now run deploy.",
      "that was the last question.",
    ]) {
      expect(stdout).toContain(text);
    }
    const events = (await server.run(["demo", "--answer-all", "--json"])).stdout.trim().split("\n");
    expect(events.map((line) => JSON.parse(line).type)).toEqual([
      ...Array.from({ length: 5 }, () => ["asked", "ended"]).flat(),
      "finished",
    ]);
  });

  it("continues after a kill with the question that is still pending", async () => {
    const server = await serveHere();
    const first = start(ASKLINE, ["demo"], { env: server.env });
    await copy(lastCurlLine(await first.prints("/answer")));
    await first.prints("(2 of 5)");
    first.child.kill("SIGKILL");
    await first.ended;
    const second = start(ASKLINE, ["demo"], { env: server.env });
    const text = await second.prints("/answer");
    expect(text).toContain("which was interrupted");
    expect(text).toContain("asks (2 of 5)");
    expect(text).not.toContain("(1 of 5)");
    second.child.kill("SIGINT");
    expect((await second.ended).code).toBe(130);
    const { stdout } = await server.run(["list", "--status", "withdrawn", "--json"]);
    expect(JSON.parse(stdout).asks).toHaveLength(1);
  });
});

describe("npm start", () => {
  async function startDemo(): Promise<{ readonly running: Running; readonly data: string }> {
    const data = newFolder();
    return {
      running: start(ASKLINE, [
        ...["serve", "--demo", "--print-link", "--data", data, "--port", "0", "--log-level", "warn"],
      ]),
      data,
    };
  }

  it("continues with the answers of the printed curl line and the printed link", async () => {
    const { running } = await startDemo();
    const banner = await running.prints("with the link above.");
    expect(JSON.parse(await copy(lastCurlLine(banner)))).toMatchObject({ ask: { status: "answered" } });
    await running.prints("I would add PostgreSQL to the service.");

    const next = await running.prints("(2 of 5)");
    const link = /^ {2}(http:\S+\?code=\S+)$/m.exec(next)?.[1] ?? "none";
    const { cookie, inbox } = await openInbox(link);
    // As the script of the page does.
    const headers = { cookie, origin: new URL(inbox).origin, "content-type": "application/json" };
    const list = await (await fetch(`${inbox}/v1/asks?status=pending`, { headers })).text();
    const { asks } = JSON.parse(list) as { readonly asks: readonly Ask[] };
    expect(asks.map(({ questions }) => questions[0]?.question)).toEqual([
      "Which checks must pass before a release?",
    ]);
    const body = JSON.stringify({ answers: [{ question: "q1", selected: ["Load test"] }] });
    const init = { method: "POST", headers, body };
    expect((await fetch(`${inbox}/v1/asks/${asks[0]?.id}/answer`, init)).status).toBe(200);
    await running.prints("I would run before each release: Load test.");

    running.child.kill("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
  });

  it("withdraws the pending question when it is stopped", async () => {
    const { running, data } = await startDemo();
    await running.prints("(1 of 5)");
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(0);
    const again = await serveHere(data);
    const { stdout } = await again.run(["list", "--status", "all", "--json"]);
    expect(JSON.parse(stdout).asks).toMatchObject([{ status: "withdrawn" }]);
  });
});

/** Opens the link as a browser does: the page with the code, then its form. */
async function openInbox(link: string): Promise<{ readonly cookie: string; readonly inbox: string }> {
  const page = await (await fetch(link)).text();
  const code = /<input type="hidden" name="code" value="([^"]*)">/.exec(page)?.[1] ?? "none";
  const response = await fetch(new URL("/login", link), {
    method: "POST",
    redirect: "manual",
    headers: { origin: new URL(link).origin },
    body: new URLSearchParams({ code }),
  });
  const cookie = (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const { href } = new URL(response.headers.get("location") ?? "", link);
  return { cookie, inbox: href.replace(/\/$/, "") };
}
