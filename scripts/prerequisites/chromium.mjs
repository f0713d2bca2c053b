// Some tests use a real Chromium. This finds one on the machine or installs one, and says so.
// Its path is passed on in ASKLINE_CHROMIUM, which anyone may also set.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../run.mjs";

const PROGRAMS = ["chromium-headless-shell", "chromium", "google-chrome", "google-chrome-stable"];
const PACKAGES = ["chromium-headless-shell", "chromium"];

/** Makes sure that there is a Chromium. Throws, with what to do, if there cannot be one. */
export function ensureChromium() {
  process.env.ASKLINE_CHROMIUM = findChromium() ?? installChromium();
}

/** The path of a Chromium, if there is one. */
export function findChromium() {
  const given = process.env.ASKLINE_CHROMIUM;
  if (given !== undefined && given !== "") {
    if (!existsSync(given)) throw new Error(`ASKLINE_CHROMIUM does not exist: ${given}`);
    return given;
  }
  return [...onPath(), ...unpacked()].find((program) => existsSync(program));
}

function onPath() {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program)));
}

function cache() {
  return join(root, "node_modules/.cache/askline/chromium");
}

/** The programs themselves: the scripts in usr/bin expect to be installed under /. */
function unpacked() {
  const lib = join(cache(), "root/usr/lib/chromium");
  return ["headless_shell", "chromium-headless-shell", "chromium"].map((program) => join(lib, program));
}

function installChromium() {
  const failures = [];
  const install = process.getuid?.() === 0 ? installByApt : unpackByApt;
  for (const name of PACKAGES) {
    const failure = install(name);
    const found = failure === undefined ? findChromium() : undefined;
    if (found !== undefined) return found;
    failures.push(failure ?? `${name} was installed, but has no program that is known`);
  }
  throw new Error(
    [
      "Chromium is not on this machine and could not be installed:",
      ...failures.map((failure) => `  ${failure}`),
      "install chromium-headless-shell or chromium, or set ASKLINE_CHROMIUM to the path of a Chromium",
    ].join("\n"),
  );
}

function installByApt(name) {
  console.log(`Chromium is missing: installing it with apt-get install ${name}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = ["apt-get", ["install", "-y", "--no-install-recommends", name], { env }];
  if (run(...install) === undefined) return undefined;
  run("apt-get", ["update"], { env });
  return run(...install);
}

/** Without root: downloads the package and unpacks it. The libraries that it needs must be on the machine. */
function unpackByApt(name) {
  console.log(`Chromium is missing: unpacking the Debian package ${name} into node_modules/.cache`);
  mkdirSync(cache(), { recursive: true });
  const failure = run("apt-get", ["download", name, "chromium-common"], { cwd: cache() });
  if (failure !== undefined) return failure;
  for (const file of readdirSync(cache()).filter((entry) => entry.endsWith(".deb"))) {
    const unpacking = run("dpkg-deb", ["-x", file, "root"], { cwd: cache() });
    if (unpacking !== undefined) return unpacking;
  }
  return undefined;
}

/** Undefined if the command succeeded, otherwise why not. */
function run(command, args, options) {
  const { status, error, stderr } = spawnSync(command, args, { encoding: "utf8", ...options });
  if (status === 0) return undefined;
  return `${command} ${args.join(" ")}: ${error?.message ?? stderr.trim().split("\n").at(-1)}`;
}
