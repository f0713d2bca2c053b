import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { readConnection } from "../../src/agents/set-up/connection.js";
import { opencodeFiles } from "../../src/agents/set-up/opencode.js";
import { opencodePlugin } from "../../src/agents/set-up/opencode-plugin.js";
import { until } from "../server/open-server.ts";
import { runHere } from "./in-process.ts";
import { ASKLINE, type Ended, endProcesses } from "./processes.ts";
import { newFolder, removeFolders } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const SETTINGS = `{
\t// mine
\t"model": "loopback/scripted", // keep
\t"mcp": {
\t\t"other": { "type": "local", "command": ["other"] },
\t},
}
`;

interface Home {
  readonly settings: string;
  readonly plugin: string;
  readonly data: string;
  run(...args: readonly string[]): Promise<Ended>;
}

function newHome(settings: string | undefined): Home {
  const folder = newFolder();
  const own = join(folder, ".config", "opencode");
  mkdirSync(own, { recursive: true });
  if (settings !== undefined) writeFileSync(join(own, "opencode.jsonc"), settings);
  const data = join(folder, "data");
  const env = { HOME: folder, PATH: folder, ASKLINE_DATA: data, XDG_CONFIG_HOME: "" };
  return {
    settings: join(own, settings === undefined ? "opencode.json" : "opencode.jsonc"),
    plugin: join(own, "plugin", "askline.js"),
    data,
    run: (...args) => runHere(args, { env, home: folder, program: ASKLINE }),
  };
}

describe("askline connect opencode", () => {
  it("refuses options that only Claude Code has a use for, and changes nothing", async () => {
    const home = newHome(SETTINGS);
    for (const option of ["--http", "--exclusive"]) {
      const { code, stderr } = await home.run("connect", "opencode", "--yes", option);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`opencode has no use for ${option}; use askline connect claude ${option}`),
      ]);
    }
    expect([readFileSync(home.settings, "utf8"), existsSync(home.plugin)]).toEqual([SETTINGS, false]);
  });

  it("adds an MCP server and a plugin, changes no other byte, and takes exactly them back", async () => {
    const home = newHome(SETTINGS);
    const { code, stdout } = await home.run("connect", "--yes", "--person", "ana");
    expect([code, stdout]).toEqual([0, expect.stringContaining('Connected as "opencode-ana"')]);
    expect(stdout).toContain(`change ${home.settings}\n    the MCP server askline\n`);
    expect(stdout).toContain(`create ${home.plugin}\n`);
    const added = readFileSync(home.settings, "utf8");
    const entry = JSON.stringify(
      { type: "local", command: [process.execPath, ASKLINE, "mcp"] },
      undefined,
      "\t",
    );
    const expected = SETTINGS.replace(
      '["other"] },',
      `["other"] },\n\t\t"askline": ${entry.replaceAll("\n", "\n\t\t")},`,
    );
    expect(added.replace(/\s/g, "")).toBe(expected.replace(/\s/g, ""));
    for (const line of SETTINGS.split("\n")) expect(added.split("\n")).toContain(line);
    expect(readFileSync(home.plugin, "utf8")).toContain(JSON.stringify([process.execPath, ASKLINE]));
    expect(readConnection(home.data, "opencode")).toMatchObject({ name: "opencode-ana", person: "ana" });

    expect((await home.run("connect", "--yes", "--person", "ana")).stdout).toContain("Nothing to change");
    expect(await home.run("connect", "--remove", "--yes")).toMatchObject({ code: 0 });
    expect(readFileSync(home.settings, "utf8")).toBe(SETTINGS);
    expect(existsSync(home.plugin)).toBe(false);
    expect((await home.run("token", "list")).stdout).not.toContain("opencode");
  });

  it("removes its entries also from files that were changed meanwhile", async () => {
    const home = newHome(SETTINGS);
    await home.run("connect", "opencode", "--yes");
    writeFileSync(home.settings, readFileSync(home.settings, "utf8").replace("scripted", "other"));
    writeFileSync(home.plugin, `${readFileSync(home.plugin, "utf8")}// mine\n`);
    const { code, stdout } = await home.run("connect", "opencode", "--remove", "--yes");
    expect([code, stdout]).toEqual([0, expect.stringContaining(`remove ${home.plugin}`)]);
    expect(readFileSync(home.settings, "utf8")).toContain('"model": "loopback/other", // keep');
    expect(readFileSync(home.settings, "utf8")).not.toContain("askline");
    expect(readdirSync(join(home.plugin, ".."))).toEqual([]);
  });

  it("leaves settings alone that do not parse, and names them", async () => {
    const home = newHome('{ "mcp": ');
    const { code, stdout } = await home.run("connect", "opencode", "--yes");
    expect([code, readFileSync(home.settings, "utf8")]).toEqual([1, '{ "mcp": ']);
    expect(stdout).toContain(`left alone: ${home.settings} is not a JSON object`);
  });

  it("creates settings where there are none; changes nothing without --yes, and --print only prints", async () => {
    const home = newHome(undefined);
    expect(await home.run("connect", "opencode")).toMatchObject({ code: 1 });
    const printed = await home.run("connect", "--print", "opencode");
    expect(printed.stdout).toMatch(
      /"mcp": \{\n {4}"askline": \{[\s\S]*plugin\/askline\.js:\n\n\/\/ Written by/,
    );
    expect([existsSync(home.settings), existsSync(home.plugin)]).toEqual([false, false]);
    await home.run("connect", "opencode", "--yes");
    expect(Object.keys(JSON.parse(readFileSync(home.settings, "utf8")))).toEqual(["mcp"]);
    await home.run("connect", "opencode", "--remove", "--yes");
    expect([existsSync(home.settings), existsSync(home.plugin)]).toEqual([false, false]);
  });

  it.each([
    [{}, "/home/ana/.config/opencode"],
    [{ XDG_CONFIG_HOME: "/x" }, "/x/opencode"],
  ])("finds its folder with %j", (environment, folder) => {
    const files = opencodeFiles({ home: "/home/ana", platform: "linux", environment });
    expect(files).toEqual({
      folder,
      plugin: `${folder}/plugin/askline.js`,
      settings: `${folder}/opencode.json`,
    });
  });
});

describe("the plugin for opencode", () => {
  it("lets only the bridge that it starts reach opencode, and ends it with opencode", async () => {
    const folder = newFolder();
    const report = join(folder, "report.json");
    // In place of the bridge: what it gets with the password and without, and that its stdin ends.
    const bridge = join(folder, 'a "bridge".mjs');
    writeFileSync(
      bridge,
      `import { appendFileSync } from "node:fs";
      const [url] = process.argv.slice(3);
      const { OPENCODE_SERVER_PASSWORD: password } = process.env;
      const headers = { authorization: "Basic " + btoa("opencode:" + password) };
      const statuses = [(await fetch(url + "/question")).status];
      const init = { method: "POST", headers, body: '{"reply":"once"}' };
      const response = await fetch(url + "/permission/per_1/reply?directory=%2Fshop", init);
      const say = (text) => appendFileSync(${JSON.stringify(report)}, text + "\\n");
      say(JSON.stringify({ args: process.argv.slice(2), statuses, status: response.status, body: await response.json() }));
      process.stdin.resume().once("end", () => say("ended"));`,
    );
    const plugin = join(folder, "askline.mjs");
    writeFileSync(plugin, opencodePlugin({ command: [process.execPath, bridge], flags: ["--data", "/d"] }));
    const { Askline } = (await import(pathToFileURL(plugin).href)) as {
      Askline(input: object): Promise<{ dispose(): Promise<void> }>;
    };
    const seen: string[] = [];
    const inProcess = async (request: Request): Promise<Response> => {
      seen.push(`${request.method} ${request.url} ${request.headers.get("x-own")} ${await request.text()}`);
      return Response.json({ ok: true }, { status: 202 });
    };
    const client = {
      _client: { getConfig: () => ({ fetch: inProcess, headers: { "x-own": "1" } }) },
      app: { log: async () => undefined },
    };
    const serverUrl = new URL("http://localhost:4096");
    const { dispose } = await Askline({ client, directory: "/shop", serverUrl });
    // The file is there a moment before its first line.
    const lines = () => (existsSync(report) ? readFileSync(report, "utf8").split("\n").slice(0, -1) : []);
    const [line = ""] = await until(() => lines().length > 0 && lines());
    expect(JSON.parse(line)).toEqual({
      args: [
        "opencode",
        expect.stringContaining("http://127.0.0.1:"),
        "--directory",
        "/shop",
        "--while-stdin",
        "--data",
        "/d",
      ],
      statuses: [401],
      status: 202,
      body: { ok: true },
    });
    expect(seen).toEqual([
      'POST http://localhost:4096/permission/per_1/reply?directory=%2Fshop 1 {"reply":"once"}',
    ]);
    await dispose();
    await until(() => lines().includes("ended"));
  });
});
