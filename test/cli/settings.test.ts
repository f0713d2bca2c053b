import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { runHere } from "./in-process.ts";
import { ASKLINE, endProcesses, start } from "./processes.ts";
import { newFolder, removeFolders, serveHere } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

interface Banner {
  readonly config?: readonly string[];
  readonly url: string;
  readonly store: string;
  readonly dataFolder: string;
}

async function banner(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Banner> {
  const running = start(ASKLINE, ["serve", "--json", ...args], { cwd, env });
  const facts = JSON.parse(await running.prints("\n")) as Banner;
  running.child.kill("SIGTERM");
  await running.ended;
  return facts;
}

function configure(folder: string, config: unknown, name = "askline.config.json"): string {
  const text = typeof config === "string" ? config : JSON.stringify(config);
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe("settings", () => {
  it("come from flags before the environment, the environment before the file", async () => {
    const cwd = newFolder();
    const data = join(cwd, "state");
    const named = configure(
      cwd,
      { db: "sqlite:file.db", data: "state", port: 0, host: "127.0.0.1" },
      "my.json",
    );
    expect(await banner(cwd, ["--config", named], {})).toMatchObject({
      store: `sqlite:${join(cwd, "file.db")}`,
      dataFolder: data,
      config: [named],
    });
    const env = { ASKLINE_CONFIG: named, ASKLINE_DB: "sqlite:environment.db", ASKLINE_HOST: "localhost" };
    expect(await banner(cwd, [], env)).toMatchObject({
      store: `sqlite:${join(cwd, "environment.db")}`,
      url: expect.stringMatching(/^http:\/\/localhost:/),
    });
    const flags = ["--db", "memory:", "--host", "127.0.0.1"];
    expect(await banner(cwd, flags, env)).toMatchObject({
      store: expect.stringMatching(/^memory:/),
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
    });
  });

  it("come from the user's own file last", async () => {
    const cwd = newFolder();
    const own = configure(cwd, { data: "state", port: 1 }, "xdg/askline/config.json");
    const here = configure(cwd, { port: 0 });
    expect(await banner(cwd, [], { XDG_CONFIG_HOME: join(cwd, "xdg") })).toMatchObject({
      dataFolder: join(dirname(own), "state"),
      config: [here, own],
    });
  });

  it("set limits and trusted proxies", async () => {
    const cwd = newFolder();
    configure(cwd, { port: 0, limits: { tokenRate: 1, tokenBurst: 2 } });
    const limited = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
      const running = start(ASKLINE, ["serve", "--json", "--data", "state", ...args], { cwd, env });
      const { url } = JSON.parse(await running.prints("\n")) as Banner;
      const token = readCredentials(join(cwd, "state"), url)?.agent;
      const statuses: number[] = [];
      for (let count = 0; count < 3; count += 1) {
        const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": "198.51.100.1" };
        statuses.push((await fetch(`${url}/v1/asks`, { headers })).status);
      }
      running.child.kill("SIGTERM");
      await running.ended;
      return statuses;
    };
    expect(await limited([], {})).toEqual([200, 200, 429]);
    const env = { ASKLINE_LIMITS: "tokenRate=1, tokenBurst=1" };
    expect(await limited([], env)).toEqual([200, 429, 429]);
    expect(await limited(["--limit", "tokenRate=100", "--limit", "addressBurst=1"], env)).toEqual([
      200, 200, 200,
    ]);
    const proxied = ["--limit", "addressBurst=1", "--limit", "addressRate=1", "--trusted-proxy", "127.0.0.1"];
    expect(await limited(proxied, env)).toEqual([200, 429, 429]);
  });

  it("put the data folder into XDG_DATA_HOME, or otherwise into the home folder", async () => {
    const home = newFolder();
    const args = ["--port", "0"];
    expect(await banner(home, args, { HOME: home, XDG_DATA_HOME: join(home, "xdg") })).toMatchObject({
      dataFolder: join(home, "xdg/askline"),
      store: `sqlite:${join(home, "xdg/askline/askline.db")}`,
    });
    expect(await banner(home, args, { HOME: home, XDG_DATA_HOME: "" })).toMatchObject({
      dataFolder: join(home, ".local/share/askline"),
    });
  });

  it.each([
    ["an unknown setting", { prot: 1 }, /has an unknown setting "prot"; did you mean "port"\?/],
    ["a setting of another kind", { port: "web" }, /"port" in .* "web" is not a port/],
    ["no text where one must be", { db: 5 }, /"db" in .* must be a non-empty string/],
    ["a list of something else", { allowedHosts: [1] }, /"allowedHosts" in .* must be a list of host names/],
    ["an unknown limit", { limits: { tokenRats: 5 } }, /"limits" in .* has an unknown limit "tokenRats"/],
    ["limits of another kind", { limits: 5 }, /"limits" in .* must look like tokenRate=100/],
    ["a limit of another kind", { limits: { tokenRate: "x" } }, /the limit tokenRate must be a whole number/],
    ["proxies of another kind", { trustedProxies: 5 }, /"trustedProxies" in .* must be a list of addresses/],
    ["origins of another kind", { allowedOrigins: 5 }, /"allowedOrigins" in .* must be a list of origins/],
    ["paths of another kind", { gatewayPaths: [5] }, /"gatewayPaths" in .* must be a list of paths/],
    ["nobody who opens sessions", { openSessions: "all" }, /is "all"; use one of agents, people/],
    ["no object", [], /must contain an object/],
    ["no JSON", "{", /is not JSON/],
  ])("refuse %s in the file", async (_name, config, message) => {
    const cwd = newFolder();
    const named = configure(cwd, config, "my.json");
    const { code, stderr } = await runHere(["serve", "--data", cwd, "--config", named], { folder: cwd });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^askline: [^\n]*\n$/);
    expect(code).toBe(2);
  });

  it("name the invalid environment variable", async () => {
    const { code, stderr } = await runHere(["serve"], { env: { ASKLINE_PORT: "x" } });
    expect(stderr).toMatch(/^askline: ASKLINE_PORT "x" is not a port; .*\n$/);
    expect(code).toBe(2);
  });
});

describe("askline.config.json of a foreign folder", () => {
  it.each([
    "db",
    "host",
    "data",
    "person",
    "publicUrl",
    "allowedHosts",
    "allowedOrigins",
    "trustedProxies",
    "gatewayPaths",
    "openSessions",
    "metricsToken",
  ])("opened a door or redirected a secret by %s", async (name) => {
    const cwd = newFolder();
    configure(cwd, { [name]: "sqlite:prepared.db" });
    const { code, stderr } = await runHere(["serve", "--data", cwd], { folder: cwd, home: cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`may set only port, logFormat, logLevel, limits, not "${name}"`);
    expect(stderr).toContain("--config");
  });

  it("sent the password of PostgreSQL to the host that it names, by doctor", async () => {
    const cwd = newFolder();
    configure(cwd, { db: "postgres://192.0.2.1/askline" });
    const { stdout } = await runHere(["doctor", "--data", cwd], { folder: cwd, home: cwd });
    expect(stdout).not.toContain("192.0.2.1");
  });

  it("made link print a login code on somebody else's URL", async () => {
    const cwd = newFolder();
    const { url, data } = await serveHere();
    configure(cwd, { publicUrl: "https://evil.example" });
    const { stdout } = await runHere(["link", "--data", data, "--url", url], { folder: cwd, home: cwd });
    expect(stdout).toContain(`${url}/?code=`);
    const local = await runHere(["link", "--data", data], { folder: cwd, home: cwd });
    expect(local.stdout).toContain(`${url}/?code=`);
  });
});

describe("ASKLINE_TOKEN", () => {
  const SECRET = "askline_secret";
  it("was sent to any URL on a command line", async () => {
    const env = { ASKLINE_TOKEN: SECRET, ASKLINE_DATA: newFolder(), ASKLINE_URL: "http://127.0.0.1:9" };
    const { code, stderr } = await runHere(["list", "--url", "http://127.0.0.1:8"], { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(/ASKLINE_TOKEN is sent only to ASKLINE_URL/);
    expect(stderr).not.toContain(SECRET);
  });

  it.each([
    ["ASKLINE_URL", { ASKLINE_URL: "http://127.0.0.1:9" }, []],
    ["the same server as --url", { ASKLINE_URL: "http://127.0.0.1:9/" }, ["--url", "http://127.0.0.1:9"]],
  ])("goes to %s", async (_name, env, args) => {
    const { stderr } = await runHere(["list", ...args], {
      env: { ASKLINE_TOKEN: SECRET, ASKLINE_DATA: newFolder(), ...env },
    });
    expect(stderr).toMatch(/cannot reach http:\/\/127\.0\.0\.1:9/);
  });
});

describe("the server on this machine", () => {
  it("is found by an address in brackets", async () => {
    const env = { ASKLINE_HOST: "[::1]", ASKLINE_PORT: "9", ASKLINE_DATA: newFolder() };
    const { stderr } = await runHere(["list", "--token", "x"], { env });
    expect(stderr).toMatch(/cannot reach http:\/\/\[::1\]:9/);
  });
});
