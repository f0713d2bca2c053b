import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, onTestFinished } from "vitest";
import { writeCredentials } from "../../src/cli/connect/credentials.js";
import { createHub, memoryStore } from "../../src/hub/index.ts";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.ts";
import { systemClock } from "../../src/index.ts";
import { createAuth, createServer, listen } from "../../src/server/index.ts";
import { diagnose, healthy, PORT } from "./doctors.ts";
import { runHere } from "./in-process.ts";
import { endProcesses, ROOT, run } from "./processes.ts";
import { newFolder, removeFolders, serve, serveHere } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

/** Every file below a folder with its content and mode. */
function pictureOf(folder: string): unknown {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .map((path) => [
      path,
      statSync(path).mode,
      statSync(path).isFile() && readFileSync(path).toString("base64"),
    ]);
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

function clockAt(offset: number) {
  return { clock: { ...systemClock, now: () => Date.now() + offset } };
}

describe("askline doctor", () => {
  it("is green if nothing exists yet, and creates nothing", async () => {
    const folder = newFolder();
    const { code, findings } = await diagnose({ data: join(folder, "data") });
    expect(findings.map(({ level }) => level)).toEqual(findings.map(() => "ok"));
    expect(findings.map(({ check }) => check)).toEqual([
      ...[
        "Node",
        "settings",
        "data folder",
        "store",
        "pg",
        "credentials",
        "port",
        "server",
        "background",
        "agents",
        "notify",
        "deliveries",
        "clock",
      ],
    ]);
    expect(findings.find(({ check }) => check === "store")?.message).toMatch(/does not exist yet; the first/);
    expect(code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is green on a stopped server's folder, changes nothing and shows no token", async () => {
    const patient = await healthy();
    const before = pictureOf(patient.data);
    const { code, findings, faults } = await diagnose(patient);
    expect(faults).toEqual([]);
    expect(findings).toHaveLength(14);
    expect(code).toBe(0);
    expect(pictureOf(patient.data)).toEqual(before);
    const { agent, person } = Object.values(
      (JSON.parse(readFileSync(patient.credentials, "utf8")) as { servers: Record<string, never> }).servers,
    )[0] ?? { agent: "", person: "" };
    for (const token of [agent, person]) expect(JSON.stringify(findings)).not.toContain(token);
  });

  it("is green while a server runs, and recognises it", async () => {
    const server = await serveHere();
    const { port } = new URL(server.url);
    const { findings, faults } = await diagnose(server, ["--port", port]);
    expect(faults).toEqual([]);
    const messages = findings.map(({ check, message }) => `${check}: ${message}`);
    expect(messages).toContain(`port: 127.0.0.1:${port} is used by our server`);
    expect(messages.join("\n")).toMatch(/server: .* is healthy, version \d+\.\d+\.\d+/);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it("said that no server runs beside one on another port, which every command used", async () => {
    const server = await serveHere();
    const { findings, faults } = await diagnose(server, ["--port", PORT]);
    expect(faults).toEqual([]);
    const found = findings.find(({ check }) => check === "server");
    expect(found?.message).toContain(`${server.url} is healthy, version `);
  });

  it("prints lines for a person, each with its fix below, in any width", async () => {
    const patient = await healthy();
    chmodSync(patient.credentials, 0o644);
    const args = ["doctor", "--data", patient.data, "--port", PORT];
    const { stdout, code } = await runHere(args, { columns: 44 });
    expect(stdout).toMatch(/^ok {7}Node: v\d/);
    expect(stdout).toMatch(/\nwrong {4}credentials:\n/);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("fix: chmod 600");
    expect(stdout).toMatch(/\n\n1 thing is wrong\.\n$/);
    expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(44);
    expect(code).toBe(1);
  });
});

describe("askline doctor finds wrong", () => {
  it("a Node that is too old", async () => {
    const { code, faults } = await diagnose(await healthy(), [], { world: { nodeVersion: "v20.18.3" } });
    expect(faults).toMatchObject([
      { check: "Node", level: "wrong", fix: expect.stringMatching(/install Node 20\.19/) },
    ]);
    expect(code).toBe(1);
  });

  it.each([
    ["a settings file that is not JSON", "{", /is not JSON/],
    ["a setting that is unknown", '{"prot":1}', /unknown setting "prot"/],
  ])("%s", async (_name, text, message) => {
    const folder = newFolder();
    const config = join(folder, "my.json");
    writeFileSync(config, text);
    const { code, faults } = await diagnose(await healthy(), ["--config", config]);
    expect(faults).toMatchObject([{ check: "settings", level: "wrong", message }]);
    expect(code).toBe(1);
  });

  it("a variable of the environment, without repeating what may be a password", async () => {
    const env = { ASKLINE_DB: "postgrse://ana:geheim@localhost/x" };
    const { faults } = await diagnose(await healthy(), [], { env });
    expect(faults).toMatchObject([{ check: "settings", message: "ASKLINE_DB is not a store" }]);
    expect(JSON.stringify(faults)).not.toContain("geheim");
  });

  it("a file where the data folder belongs", async () => {
    const data = join(newFolder(), "data");
    writeFileSync(data, "");
    const { code, faults } = await diagnose({ data });
    expect(faults[0]).toMatchObject({
      check: "data folder",
      level: "wrong",
      message: `${data} is not a folder`,
    });
    expect(code).toBe(1);
  });

  it("a data folder that is open to others, which only deserves a warning", async () => {
    const patient = await healthy();
    chmodSync(patient.data, 0o755);
    const { code, faults } = await diagnose(patient);
    expect(faults).toMatchObject([
      { check: "data folder", level: "warning", fix: `chmod 700 ${patient.data}` },
    ]);
    expect(code).toBe(0);
  });

  it("a data folder and a store that this user may not write", async () => {
    const patient = await healthy();
    chmodSync(patient.db, 0o444);
    chmodSync(patient.data, 0o555);
    chmodSync(join(patient.data, ".."), 0o755);
    onTestFinished(() => chmodSync(patient.data, 0o700));
    const { stdout } = await run(
      join(ROOT, "test/cli/doctor-as-nobody.mjs"),
      [...["doctor", "--json", "--data", patient.data, "--port", PORT]],
      { env: { HOME: patient.data } },
    );
    const { findings } = JSON.parse(stdout) as Awaited<ReturnType<typeof diagnose>>;
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: "data folder",
        level: "wrong",
        fix: expect.stringMatching(/chmod u\+rwx/),
      }),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: "store",
        level: "wrong",
        fix: expect.stringMatching(/chmod u\+rw /),
      }),
    );
  });

  it.each([
    ["little room on the disk, as a warning", 100 * 1024 * 1024, "warning"],
    ["hardly any room on the disk", 1024 * 1024, "wrong"],
  ])("%s", async (_name, free, level) => {
    const { faults } = await diagnose(await healthy(), [], { world: { freeSpace: async () => free } });
    expect(faults).toMatchObject([
      {
        check: "data folder",
        level,
        message: expect.stringMatching(/MB free on the disk/),
        fix: expect.stringMatching(/askline prune/),
      },
    ]);
  });

  it.each([["credentials.json"], [`agent-${PORT}.headers`]])(
    "tokens in %s that others can read",
    async (name) => {
      const patient = await healthy();
      chmodSync(join(patient.data, name), 0o640);
      const { code, faults } = await diagnose(patient);
      expect(faults).toMatchObject([
        {
          check: "credentials",
          level: "wrong",
          message: expect.stringMatching(/other users can read it \(640\)/),
          fix: expect.stringMatching(/^chmod 600 /),
        },
      ]);
      expect(code).toBe(1);
    },
  );

  it("credentials of another user", async () => {
    const { faults } = await diagnose(await healthy(), [], { world: { userId: 4_711 } });
    expect(faults).toMatchObject([
      { check: "credentials", level: "wrong", fix: expect.stringMatching(/^chown 4711 /) },
    ]);
  });

  it("a folder where the credentials belong", async () => {
    const patient = await healthy();
    rmSync(patient.credentials);
    mkdirSync(patient.credentials);
    const { faults } = await diagnose(patient);
    expect(faults).toMatchObject([
      { check: "credentials", level: "wrong", message: expect.stringMatching(/is not a file/) },
    ]);
  });

  it.each([["{"], ['{"servers":[1]}']])("credentials that hold %j", async (text) => {
    const patient = await healthy();
    writeFileSync(patient.credentials, text);
    const { faults } = await diagnose(patient);
    expect(faults).toMatchObject([
      {
        check: "credentials",
        level: "wrong",
        fix: expect.stringMatching(/^mv .* then restart "askline serve"/),
      },
    ]);
  });

  it("a token that was revoked", async () => {
    const patient = await healthy();
    const { tokens } = JSON.parse(
      (await runHere(["token", "list", "--json", "--data", patient.data])).stdout,
    );
    const { id } = tokens.find(({ role }: { readonly role: string }) => role === "person");
    await runHere(["token", "revoke", id, "--data", patient.data]);
    const { code, faults } = await diagnose(patient);
    expect(faults).toMatchObject([
      {
        check: "credentials",
        level: "wrong",
        message: expect.stringMatching(/^the person token .* revoked$/),
        fix: expect.stringMatching(/askline serve/),
      },
    ]);
    expect(code).toBe(1);
  });

  it("a port that another HTTP server uses", async () => {
    const port = await listening(createHttpServer((_request, response) => response.end('{"status":"ok"}')));
    const { code, faults } = await diagnose(await healthy(), ["--port", port]);
    expect(faults).toMatchObject([
      {
        check: "port",
        level: "wrong",
        message: expect.stringMatching(/not Askline/),
        fix: expect.stringContaining(`lsof -i :${port};`),
      },
    ]);
    expect(code).toBe(1);
  });

  it("a port whose owner does not respond, without waiting for long", async () => {
    const port = await listening(createTcpServer(() => undefined));
    const { faults } = await diagnose(await healthy(), ["--port", port]);
    expect(faults).toMatchObject([
      { check: "port", level: "wrong", message: expect.stringMatching(/does not respond/) },
    ]);
  });

  it("an address that is not this machine's", async () => {
    const { faults } = await diagnose(await healthy(), ["--host", "192.0.2.1"]);
    expect(faults).toMatchObject([
      {
        check: "port",
        level: "wrong",
        message: expect.stringMatching(/EADDRNOTAVAIL/),
        fix: expect.stringMatching(/--host/),
      },
    ]);
  });

  it("a server at --url that does not respond", async () => {
    const server = createTcpServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    const { faults } = await diagnose(await healthy(), ["--url", `http://127.0.0.1:${port}`]);
    expect(faults).toMatchObject([
      { check: "server", level: "wrong", fix: expect.stringMatching(/ASKLINE_URL/) },
    ]);
  });

  it("a server whose clock differs, as a warning", async () => {
    const { url } = await serveHere();
    const { faults } = await diagnose(await healthy(), ["--url", url], { world: clockAt(90_000) });
    expect(faults).toMatchObject([
      { check: "server", level: "warning", message: expect.stringMatching(/is 1m behind this one/) },
    ]);
  });

  it("a server of another version, as a warning", async () => {
    const patient = await healthy();
    const store = memoryStore();
    const hub = await createHub({ store });
    const auth = createAuth({ records: store.records, now: store.now });
    const { url, close } = await listen(createServer({ hub, auth, version: "0.0.1" }), { port: 0 });
    onTestFinished(async () => {
      await close();
      await hub.close();
    });
    const { token } = await auth.createToken({ role: "agent", name: "local" });
    const id = "i".repeat(43);
    const proof = `${id}.${await auth.proofKey(id)}`;
    await writeCredentials(patient.data, url, { agent: token, person: token, proof });
    const { faults } = await diagnose(patient, ["--url", url]);
    expect(faults).toMatchObject([
      { check: "server", level: "warning", message: expect.stringMatching(/runs version 0\.0\.1/) },
    ]);
    await writeCredentials(patient.data, url, { agent: token, person: token });
    expect((await diagnose(patient, ["--url", url])).faults).toMatchObject([
      {
        check: "server",
        level: "wrong",
        message: expect.stringMatching(/older version .* nothing was sent/),
      },
    ]);
  });

  it("a clock that is before this program existed", async () => {
    const { code, faults } = await diagnose({ data: join(newFolder(), "x") }, [], {
      world: { clock: { ...systemClock, now: () => 86_400_000 } },
    });
    expect(faults).toMatchObject([
      {
        check: "clock",
        level: "wrong",
        message: expect.stringMatching(/1970-01-02/),
        fix: expect.stringMatching(/timedatectl/),
      },
    ]);
    expect(code).toBe(1);
  });

  it("a clock that is before the newest event in the store", async () => {
    const { faults } = await diagnose(await healthy(), [], { world: clockAt(-3_600_000) });
    expect(faults).toMatchObject([
      { check: "clock", level: "wrong", message: expect.stringMatching(/before the newest event/) },
    ]);
  });

  it("nothing in the store of a killed server, and loses nothing", async () => {
    const server = await serve();
    const { id } = await server.ask(["-q", "Still there?"]);
    server.running.child.kill("SIGKILL");
    await server.running.ended;
    expect(existsSync(join(server.data, "askline.db-wal"))).toBe(true);
    const { faults } = await diagnose(server);
    expect(faults).toEqual([]);
    const again = await serve(server.data);
    expect((await again.run(["show", id, "--json"])).stdout).toContain(id);
  });
});

describe("doctor and deliveries", () => {
  it("names what was given up, and what notifications need", async () => {
    const patient = await healthy();
    const store = sqliteStore({ path: patient.db });
    await store.open({ clock: systemClock, logger: console });
    const last = { at: store.now(), title: "webhook hooks.example.com", reason: "HTTP 500" };
    await store.records.put("outbox-status", "last-dead", last);
    await store.close();
    const env = { ASKLINE_NTFY: "ana=https://ntfy.example.com/s3cret" };
    const { findings } = await diagnose(patient, [], { env });
    expect(findings.find(({ check }) => check === "deliveries")).toMatchObject({
      level: "warning",
      message: expect.stringMatching(/given up .* to webhook hooks\.example\.com: HTTP 500/),
      fix: expect.stringContaining("askline deliveries retry --dead"),
    });
    const notify = findings.find(({ check }) => check === "notify");
    expect(notify).toMatchObject({ level: "warning", fix: expect.stringContaining("--public-url") });
    expect(JSON.stringify(notify)).toContain("--push-contact");
    expect(JSON.stringify(findings)).not.toContain("s3cret");
  });
});
