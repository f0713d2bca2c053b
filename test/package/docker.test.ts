import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./repository.ts";

// No Docker engine runs where the tests do, so this plays the lines of the Dockerfile in an empty folder, as root of
// an image would see them. FROM, USER, VOLUME and EXPOSE change nothing here.
describe("the Dockerfile", () => {
  let image: Image;

  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), "askline-image-"));
    const environment = { ...process.env, npm_config_prefer_offline: "true", CI: "true" };
    image = { root: folder, folder, command: [], environment };
  });

  afterAll(() => {
    rmSync(image.root, { recursive: true, force: true });
  });

  // Each line has the time of a test: all of them together install twice and build once.
  it.each(linesOf(readFileSync(join(root, "Dockerfile"), "utf8")))("can do: %s", async (line) => {
    image = await play(line, image);
  });

  it("gives a server that refuses to listen for everybody before there is a token, and says how to create one", () => {
    const { command, environment } = image;
    const { status, stderr } = spawnSync(command[0] ?? "", command.slice(1), {
      env: environment,
      encoding: "utf8",
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain("token create");
  });

  it("gives a server that is ready once there is a token", async () => {
    const { command, environment } = image;
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

/** What the lines so far have made. */
interface Image {
  readonly root: string;
  /** Of WORKDIR. */
  readonly folder: string;
  readonly command: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

function linesOf(dockerfile: string): readonly string[] {
  return dockerfile.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

async function play(line: string, image: Image): Promise<Image> {
  const { folder, environment } = image;
  // Absolute paths of the image are below its folder here.
  const inside = (path: string): string => join(image.root, path);
  const [instruction = "", rest = ""] = /^(\w+) (.*)$/.exec(line)?.slice(1) ?? [];
  if (instruction === "WORKDIR") {
    mkdirSync(inside(rest), { recursive: true });
    return { ...image, folder: inside(rest) };
  }
  if (instruction === "ENV") {
    const [name = "", value = ""] = rest.split("=");
    const expanded = value.replace("$PATH", environment.PATH ?? "");
    const set = { [name]: expanded.startsWith("/") ? inside(expanded) : expanded };
    return { ...image, environment: { ...environment, ...set } };
  }
  if (instruction === "CMD") return { ...image, command: JSON.parse(rest) };
  if (instruction === "COPY" && rest === ". .") copySources(folder);
  else if (instruction === "COPY") {
    const [from = "", to = ""] = rest.replace(/^--from=\w+ /, "").split(" ");
    // Of a pattern, the one file that it matches.
    const pattern = new RegExp(`^${basename(from).replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
    const source = inside(dirname(from));
    const file = readdirSync(source).find((name) => pattern.test(name)) ?? basename(from);
    cpSync(join(source, file), join(folder, to));
  } else if (instruction === "RUN") {
    mkdirSync(inside("/home/node"), { recursive: true });
    const script = rest.replaceAll(/(?<= )\/home\//g, `${image.root}/home/`);
    // Rejects with what it printed if it fails.
    await promisify(execFile)("sh", ["-c", script], { cwd: folder, env: environment });
  } else if (!["FROM", "USER", "VOLUME", "EXPOSE"].includes(instruction)) {
    throw new Error(`this test does not know ${instruction}`);
  }
  return image;
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
