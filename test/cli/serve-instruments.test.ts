import { PassThrough } from "node:stream";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { createLogger, type LogChoice } from "../../src/cli/output/logger.js";
import { sendEverything, type Target } from "../server/instruments/send-everything.ts";
import { parse } from "../server/metrics/scrape.ts";
import { runHere } from "./in-process.ts";
import { endProcesses, openTerminal } from "./processes.ts";
import { newFolder, removeFolders, type ServeProcess, serve } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

async function targetOf({ url, data, inbox, run }: ServeProcess): Promise<Target> {
  const credentials = readCredentials(data, url);
  const admin = await run(["token", "create", "--role", "admin", "--name", "root"]);
  return {
    url,
    port: Number(new URL(url).port),
    agent: credentials?.agent ?? "",
    person: credentials?.person ?? "",
    admin: admin.stdout.trim(),
    code: new URL(inbox).searchParams.get("code") ?? "",
  };
}

describe("the log of askline serve", () => {
  it.each(["json", "text"])(
    "as %s tells of every request and nothing private, down to debug",
    async (format) => {
      const server = await serve(newFolder(), {
        args: [
          "--person",
          "ana",
          "--log-level",
          "debug",
          ...(format === "text" ? ["--log-format", "text"] : []),
        ],
      });
      const secrets = await sendEverything(await targetOf(server));
      server.running.child.kill("SIGTERM");
      const { code, stderr } = await server.running.ended;
      expect(code).toBe(0);
      expect(secrets.filter((secret) => secret === "" || stderr.includes(secret))).toEqual([]);
      const lines = stderr.trim().split("\n");
      expect(lines.length).toBeGreaterThan(200);
      if (format === "text") {
        expect(
          lines.filter(
            (line) =>
              !/^askline: (started|request|gateway message ignored|connection (opened|closed)|stopping)( |$)/.test(
                line,
              ),
          ),
        ).toEqual([]);
        expect(stderr).toMatch(
          /^askline: request requestId=\S+ method=POST route=\/v1\/asks status=201 ms=[\d.]+ role=agent name=local via=token$/m,
        );
        return;
      }
      const told = lines.map((line) => JSON.parse(line));
      expect(told.at(0)).toMatchObject({
        level: "info",
        msg: "started",
        store: "sqlite",
        pid: server.running.child.pid,
      });
      expect(told.at(-1)).toMatchObject({ level: "info", msg: "stopping" });
      expect(told.find(({ route }) => route === "/healthz")).toMatchObject({
        level: "debug",
        msg: "request",
      });
      expect(told.find(({ status }) => status === 201)).toMatchObject({
        ...{ level: "info", msg: "request", method: "POST", route: "/v1/asks", role: "agent", name: "local" },
        ...{
          via: "token",
          requestId: expect.any(String),
          ms: expect.any(Number),
          time: expect.stringMatching(/^\d{4}-/),
        },
      });
    },
    60_000,
  );

  it("at a terminal is in words, and only of trouble unless more is asked for", async () => {
    const line = (flags: string, data: string): string =>
      `"$NODE" "$ASKLINE" serve --port 0 --data ${data} ${flags}`;
    for (const [flags, told] of [
      ["", false],
      ["--log-level info", true],
    ] as const) {
      const terminal = openTerminal(line(flags, newFolder()), 200);
      await terminal.shows("wait=60");
      const url = /Server {2}(\S+)/.exec(terminal.text())?.[1];
      await fetch(`${url}/v1/asks`);
      terminal.type("\u0003");
      await terminal.ended;
      expect(terminal.text().includes("askline: request requestId=")).toBe(told);
      expect(terminal.text()).not.toContain('"level"');
    }
  });

  it("is chosen by where it goes, and by what is said", async () => {
    const write = async (choice: LogChoice, isTTY: boolean): Promise<string> => {
      const stderr = new PassThrough({ encoding: "utf8" });
      const logger = await createLogger(choice, { stderr: Object.assign(stderr, { isTTY }) });
      logger.event?.("debug", "a detail", {});
      logger.event?.("info", "an event", { link: "link_abc.def" });
      logger.warn("a warning", new Error("at askline_0123456789ab".padEnd(66, "x")));
      logger.error("an error");
      return String(stderr.read() ?? "");
    };
    const names = (text: string): string =>
      [...text.matchAll(/an? (detail|event|warning|error)/g)].map(([, name]) => name).join();
    expect(names(await write({}, false))).toBe("event,warning,error");
    expect(names(await write({}, true))).toBe("warning,error");
    expect(names(await write({ level: "debug" }, true))).toBe("detail,event,warning,error");
    expect(names(await write({ level: "error" }, false))).toBe("error");
    expect(await write({ level: "silent" }, false)).toBe("");
    expect(await write({ level: "silent" }, true)).toBe("");
    expect(await write({}, false)).toMatch(/^\{"level":"info".*\n\{"level":"warn".*\n\{"level":"error".*\n$/);
    expect(await write({ format: "json" }, true)).toMatch(/^\{/);
    expect(await write({ format: "text" }, false)).toMatch(/^askline: an event link=link_…\n/);
    for (const isTTY of [true, false]) expect(await write({}, isTTY)).not.toContain("xxx");
  });
});

describe("the settings of logs and metrics", () => {
  it.each([
    [["--log-level", "loud"], '--log-level is "loud"; use one of debug, info, warn, error, silent'],
    [["--log-format", "xml"], '--log-format is "xml"; use one of json, text'],
    [
      ["--metrics-token", "secret"],
      "--metrics-token must be 16 to 256 letters, digits and punctuation, without spaces",
    ],
  ])("%s is refused with what to do", async (flags, message) => {
    const ended = await runHere(["serve", "--port", "0", "--data", newFolder(), ...flags]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(ended.stderr).not.toContain("secret");
  });

  it("opens /metrics with the token, on the store and in the bundle that are shipped", async () => {
    const server = await serve(newFolder(), { args: ["--metrics-token", "0123456789abcdef"] });
    expect((await fetch(`${server.url}/metrics`)).status).toBe(401);
    const demo = await server.run(["demo", "--answer-all"]);
    expect(demo.code).toBe(0);
    const response = await fetch(`${server.url}/metrics`, {
      headers: { authorization: "Bearer 0123456789abcdef" },
    });
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const scrape = parse(await response.text());
    expect(scrape.value("askline_asks_settled_total", { kind: "questions", outcome: "answered" })).toBe(4);
    expect(Number(scrape.sample("askline_store_commit_writes")?.count)).toBeGreaterThan(9);
    expect(scrape.value("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
  });
});
