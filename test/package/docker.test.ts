import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./repository.ts";

// No Docker engine runs where the tests do, so this plays the lines of the Dockerfile in an empty folder, as root of
// an image would see them. FROM, USER, VOLUME and EXPOSE change nothing here.
describe("the Dockerfile", () => {
  let image: string;
  let command: readonly string[];
  let environment: NodeJS.ProcessEnv;

  beforeAll(() => {
    image = mkdtempSync(join(tmpdir(), "askline-image-"));
    ({ command, environment } = play(readFileSync(join(root, "Dockerfile"), "utf8"), image));
  }, 240_000);

  afterAll(() => {
    rmSync(image, { recursive: true, force: true });
  });

  it("gives a server that refuses to listen for everybody before there is a token, and says how to create one", () => {
    const { status, stderr } = spawnSync(command[0] ?? "", command.slice(1), {
      env: environment,
      encoding: "utf8",
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain("token create");
  });

  it("gives a server that is ready once there is a token", async () => {
    const created = spawnSync("askline", ["token", "create", "--role", "agent", "--name", "ci"], {
      env: environment,
      encoding: "utf8",
    });
    expect(created.status, created.stderr).toBe(0);
    const server = spawn(command[0] ?? "", [...command.slice(1), "--json"], {
      // The test listens on loopback, on any free port.
      env: { ...environment, ASKLINE_PORT: "0", ASKLINE_HOST: "127.0.0.1" },
    });
    try {
      const { url } = JSON.parse(await firstLine(server));
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    } finally {
      server.kill("SIGKILL");
    }
  });
});

it("compose.yaml sets only variables that askline serve --help names", () => {
  const compose = readFileSync(join(root, "compose.yaml"), "utf8");
  const variables = [...compose.matchAll(/^ +(ASKLINE_\w+):/gm)].map(([, name]) => name);
  const { stdout } = spawnSync(process.execPath, [join(root, "dist/bin/askline.js"), "serve", "--help"], {
    encoding: "utf8",
  });
  expect(variables.length).toBeGreaterThan(0);
  for (const name of variables) expect(stdout).toContain(name);
});

function play(
  dockerfile: string,
  image: string,
): { readonly command: readonly string[]; readonly environment: NodeJS.ProcessEnv } {
  // Absolute paths of the image are below its folder here.
  const inside = (path: string): string => join(image, path);
  let environment: NodeJS.ProcessEnv = { ...process.env, npm_config_prefer_offline: "true", CI: "true" };
  let folder = image;
  let command: readonly string[] = [];
  for (const line of dockerfile.split("\n").filter((text) => text !== "" && !text.startsWith("#"))) {
    const [instruction = "", rest = ""] = /^(\w+) (.*)$/.exec(line)?.slice(1) ?? [];
    if (instruction === "WORKDIR") {
      folder = inside(rest);
      mkdirSync(folder, { recursive: true });
    } else if (instruction === "COPY" && rest === ". .") copySources(folder);
    else if (instruction === "COPY") {
      const [from = "", to = ""] = rest.replace(/^--from=\w+ /, "").split(" ");
      // Of a pattern, the one file that it matches.
      const pattern = new RegExp(`^${basename(from).replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
      const source = inside(dirname(from));
      const file = readdirSync(source).find((name) => pattern.test(name)) ?? basename(from);
      cpSync(join(source, file), join(folder, to));
    } else if (instruction === "RUN") {
      mkdirSync(inside("/home/node"), { recursive: true });
      const script = rest.replaceAll(/(?<= )\/home\//g, `${image}/home/`);
      const { status, stdout, stderr } = spawnSync("sh", ["-c", script], {
        cwd: folder,
        env: environment,
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(`RUN ${rest} (${basename(folder)}) failed:\n${stdout}${stderr}`);
    } else if (instruction === "ENV") {
      const [name = "", value = ""] = rest.split("=");
      const expanded = value.replace("$PATH", environment.PATH ?? "");
      environment = { ...environment, [name]: expanded.startsWith("/") ? inside(expanded) : expanded };
    } else if (instruction === "CMD") command = JSON.parse(rest);
    else if (!["FROM", "USER", "VOLUME", "EXPOSE"].includes(instruction)) {
      throw new Error(`this test does not know ${instruction}`);
    }
  }
  return { command, environment };
}

/** What git has, less what .dockerignore leaves out. */
function copySources(folder: string): void {
  const ignored = readFileSync(join(root, ".dockerignore"), "utf8").split("\n").filter(Boolean);
  const { stdout } = spawnSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const path of stdout.split("\n").filter(Boolean)) {
    if (!ignored.some((name) => path === name || path.startsWith(`${name}/`))) {
      cpSync(join(root, path), join(folder, path));
    }
  }
}

async function firstLine(server: ChildProcess): Promise<string> {
  const [chunk] = (await once(server.stdout ?? server, "data")) as [Buffer];
  return chunk.toString();
}
