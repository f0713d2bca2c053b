import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { writeCredentials } from "../../src/cli/connect/credentials.js";
import { connect as connectInPage } from "../../src/client/browser.ts";
import { connect } from "../../src/client/index.ts";
import { codeBlocks } from "../package/code-blocks.ts";
import { until } from "../server/open-server.ts";
import { endProcesses, ROOT, start } from "./processes.ts";
import { newFolder, removeFolders, serveHere } from "./servers.ts";

let home: string;

beforeEach(() => {
  home = newFolder();
  for (const name of Object.keys(process.env)) if (name.startsWith("ASKLINE_")) vi.stubEnv(name, undefined);
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_DATA_HOME", undefined);
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
  endProcesses();
  removeFolders();
});

it("the program in README runs as pasted", async () => {
  const page = readFileSync(join(ROOT, "README.md"), "utf8");
  const program = codeBlocks(page).find(({ text }) => text.includes("connect()"))?.text ?? "";
  const server = await serveHere();
  const env = { ASKLINE_DATA: server.data, ASKLINE_PORT: new URL(server.url).port };
  const running = start("--input-type=module", ["--eval", program], { env });
  const id = await until(async () => {
    const { stdout } = await server.run(["list", "--json"]);
    return (JSON.parse(stdout) as { readonly asks: readonly { readonly id: string }[] }).asks[0]?.id;
  });
  await server.run(["answer", id, "--pick", "2"]);
  expect(await running.ended).toEqual({ code: 0, stdout: "Which auth?\nAPI key\n", stderr: "" });
});

describe("connect() without arguments", () => {
  it("takes the token that askline serve wrote for this machine", async () => {
    await keepTokens(join(home, ".local/share/askline"), "http://127.0.0.1:4780");
    expect(await used()).toBe("http://127.0.0.1:4780 Bearer an-agent");
    expect(await used({ as: "person" })).toBe("http://127.0.0.1:4780 Bearer a-person");
    expect(await used({ token: "mine" })).toBe("http://127.0.0.1:4780 Bearer mine");
    vi.stubEnv("XDG_DATA_HOME", join(home, "xdg"));
    expect(() => connect()).toThrow("no agent token");
    await keepTokens(join(home, "xdg/askline"), "http://127.0.0.1:4780");
    vi.stubEnv("ASKLINE_HOST", "localhost");
    expect(await used()).toBe("http://localhost:4780 Bearer an-agent");
  });

  it("takes the environment first, then the configuration files", async () => {
    mkdirSync(join(home, ".config/askline"), { recursive: true });
    const config = { port: 4999, data: "kept", host: "evil.example.com" };
    writeFileSync(join(home, ".config/askline/config.json"), JSON.stringify(config));
    await keepTokens(join(home, ".config/askline/kept"), "http://127.0.0.1:4999");
    // A configured host that is not this machine gets no token.
    expect(await used()).toBe("http://127.0.0.1:4999 Bearer an-agent");
    vi.stubEnv("ASKLINE_CONFIG", join(home, "near.json"));
    writeFileSync(join(home, "near.json"), JSON.stringify({ port: 5001, data: "~/near" }));
    await keepTokens(join(home, "near"), "http://127.0.0.1:5001");
    expect(await used()).toBe("http://127.0.0.1:5001 Bearer an-agent");
    vi.stubEnv("ASKLINE_PORT", "5002");
    expect(() => connect()).toThrow("no agent token for http://127.0.0.1:5002");
    vi.stubEnv("ASKLINE_TOKEN", "from-environment");
    expect(await used()).toBe("http://127.0.0.1:5002 Bearer from-environment");
    vi.stubEnv("ASKLINE_URL", "https://ask.example.com");
    expect(await used()).toBe("https://ask.example.com Bearer from-environment");
    expect(await used({ url: "https://other.example.com" })).toBe("https://other.example.com null");
  });

  it("says how to get a token, and what is wrong with a file, without showing it", () => {
    expect(() => connect()).toThrow(
      `no agent token for http://127.0.0.1:4780 in ${join(home, ".local/share/askline/credentials.json")}. To use a server on this machine, start it with "askline serve", which writes one. For another server, get a token there with "askline token create --role agent" and use connect({ url, token }), or set ASKLINE_URL and ASKLINE_TOKEN`,
    );
    mkdirSync(join(home, ".local/share/askline"), { recursive: true });
    writeFileSync(join(home, ".local/share/askline/credentials.json"), '{"servers":{"askline_secret');
    expect(() => connect()).toThrow(/credentials\.json \(it is not JSON\)$/);
    vi.stubEnv("ASKLINE_CONFIG", "missing.json");
    expect(() => connect()).toThrow(/cannot read .*missing\.json \(ENOENT/);
  });

  it("needs a url in a page, and says how to get a token", () => {
    expect(() => connectInPage()).toThrow(
      'connect needs a url, and a token: "askline token create --role agent" on the server prints one',
    );
  });
});

/** The address and the token that the client uses. */
async function used(options?: Parameters<typeof connect>[0]): Promise<string> {
  let seen = "";
  const client = connect({
    ...options,
    fetch: async (input, init) => {
      seen = `${new URL(String(input)).origin} ${new Headers(init?.headers).get("authorization")}`;
      return Response.json({ asks: [] }, { headers: { "askline-position": "1" } });
    },
  });
  await client.list();
  await client.close();
  return seen;
}

async function keepTokens(data: string, url: string): Promise<void> {
  mkdirSync(data, { recursive: true });
  await writeCredentials(data, url, { agent: "an-agent", person: "a-person" });
}
