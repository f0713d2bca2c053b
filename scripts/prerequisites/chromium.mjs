// Some tests use a real Chromium. This finds one on the machine or installs one, and says so.
// Its path is passed on in ASKLINE_CHROMIUM, or ASKLINE_FULL_CHROMIUM, which anyone may also set.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../run.mjs";
import { install, installByApt, run } from "./install.mjs";

/** Any Chromium shows pages, and the headless shell is the smallest. It always denies notifications. */
const ANY = {
  variable: "ASKLINE_CHROMIUM",
  programs: ["chromium-headless-shell", "chromium", "google-chrome", "google-chrome-stable"],
  unpacked: ["headless_shell", "chromium-headless-shell", "chromium"],
  packages: ["chromium-headless-shell", "chromium"],
};
const FULL = {
  variable: "ASKLINE_FULL_CHROMIUM",
  programs: ["chromium", "google-chrome", "google-chrome-stable"],
  unpacked: ["chromium"],
  packages: ["chromium"],
};

/** Makes sure that there is a Chromium. Throws, with what to do, if there cannot be one. */
export async function ensureChromium() {
  await ensure(ANY);
}

/** The same for one that shows notifications. */
export async function ensureFullChromium() {
  await ensure(FULL);
}

/** The path of a Chromium, if there is one. */
export function findChromium() {
  return find(ANY);
}

export function findFullChromium() {
  return find(FULL);
}

async function ensure(kind) {
  process.env[kind.variable] = find(kind) ?? (await installChromium(kind));
}

function find({ variable, programs, unpacked }) {
  const given = process.env[variable];
  if (given !== undefined && given !== "") {
    if (!existsSync(given)) throw new Error(`${variable} does not exist: ${given}`);
    return given;
  }
  // The programs themselves: the scripts in usr/bin expect to be installed under /.
  const lib = join(cache(), "root/usr/lib/chromium");
  return [...onPath(programs), ...unpacked.map((program) => join(lib, program))].find((program) =>
    existsSync(program),
  );
}

function onPath(programs) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return programs.flatMap((program) => folders.map((folder) => join(folder, program)));
}

function cache() {
  return join(root, "node_modules/.cache/askline/chromium");
}

async function installChromium(kind) {
  const { variable, packages } = kind;
  const failures = [];
  const installPackage = process.getuid?.() === 0 ? installByApt : unpackByApt;
  for (const name of packages) {
    const failure = await installPackage("Chromium", name);
    const found = failure === undefined ? find(kind) : undefined;
    if (found !== undefined) return found;
    failures.push(failure ?? `${name} was installed, but has no program that is known`);
  }
  throw new Error(
    [
      "Chromium is not on this machine and could not be installed:",
      ...failures.map((failure) => `  ${failure}`),
      `install ${packages.join(" or ")}, or set ${variable} to the path of a Chromium`,
    ].join("\n"),
  );
}

/** Without root: downloads the package and unpacks it. The libraries that it needs must be on the machine. */
async function unpackByApt(what, name) {
  mkdirSync(cache(), { recursive: true });
  const options = { cwd: cache() };
  const failure = await install(what, "apt-get", ["download", name, "chromium-common"], options);
  if (failure !== undefined) return failure;
  for (const file of readdirSync(cache()).filter((entry) => entry.endsWith(".deb"))) {
    const unpacking = await run("dpkg-deb", ["-x", file, "root"], options);
    if (unpacking !== undefined) return unpacking;
  }
  return undefined;
}
