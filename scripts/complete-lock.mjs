// Adds to package-lock.json the packages for other platforms that `npm install` left out, and every missing integrity.
//
// A registry that mirrors only what its users install answers 404 for the binaries of other platforms. npm
// then writes a lock without them, which its own `npm ci` refuses ("Missing: … from lock file"). Their exact
// versions are in the lock all the same, in the optionalDependencies of the packages that need them, and
// their names contain the platform. Their integrity is what the registry says of that version; while it answers 404,
// the package is checked by version only, and named at the end.
//
// Run it after every `npm install` that changed the lock; test/package/lock.test.ts fails when it is needed. An
// argument names another folder with a lock: `node scripts/complete-lock.mjs bench`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runProgram } from "./run.mjs";

const OPERATING_SYSTEMS = new Set(
  "aix android darwin freebsd linux netbsd openbsd openharmony sunos win32".split(" "),
);
const PROCESSORS = new Set("arm arm64 ia32 loong64 mips64el ppc64 riscv64 s390x wasm32 x64".split(" "));

const path = join(root, process.argv[2] ?? ".", "package-lock.json");
const lock = JSON.parse(readFileSync(path, "utf8"));

const added = [];
for (const [owner, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  if (owner === "") continue;
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isLocked(owner, name)) continue;
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
      throw new Error(
        `${owner} needs ${name}@${version}, which is not an exact version and cannot be added to the lock`,
      );
    }
    lock.packages[`node_modules/${name}`] = { version, ...platformOf(name, dev) };
    added.push(`${name}@${version}`);
  }
}

const unknown = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path.includes("node_modules/") || entry.link || entry.integrity) continue;
  const name = `${path.slice(path.lastIndexOf("node_modules/") + 13)}@${entry.version}`;
  const { ok, output } = runProgram("npm", ["view", "--json", name, "dist.integrity"], { quiet: true });
  const [integrity] = ok ? (/sha512-[\w+/=]+/.exec(output) ?? []) : [];
  if (integrity) lock.packages[path] = { version: entry.version, integrity, ...entry };
  else if (/E404/.test(output)) unknown.push(name);
  else throw new Error(`npm view ${name} gave no integrity:\n${output}`);
}

const sorted = Object.entries(lock.packages).sort(([one], [other]) => one.localeCompare(other, "en"));
lock.packages = Object.fromEntries(sorted);
writeFileSync(path, `${JSON.stringify(lock, undefined, 2)}\n`);
console.log(added.length === 0 ? "the lock was complete" : `locked ${added.join(", ")}`);
if (unknown.length > 0)
  console.log(`without integrity, since the registry lacks them: ${unknown.join(", ")}`);

/** Whether Node's search from `owner` upwards would find `name` in the lock. */
function isLocked(owner, name) {
  for (
    let folder = owner;
    ;
    folder = folder.slice(0, folder.lastIndexOf("node_modules/")).replace(/\/$/, "")
  ) {
    if (lock.packages[join(folder, "node_modules", name).replaceAll("\\", "/")]) return true;
    if (folder === "") return false;
  }
}

// npm must know that these do not fit this machine, or it would try to download them.
function platformOf(name, dev) {
  const words = name.split(/[-/]|(?<=linux)(?=musl)/);
  const os = words.find((word) => OPERATING_SYSTEMS.has(word));
  const cpu = words.find((word) => PROCESSORS.has(word));
  const libc = words.some((word) => word.startsWith("musl")) ? "musl" : "glibc";
  if (os === undefined && cpu === undefined)
    throw new Error(`the name of ${name} does not contain a platform`);
  return {
    ...(cpu && { cpu: [cpu] }),
    ...(dev && { dev }),
    ...(os === "linux" && { libc: [libc] }),
    optional: true,
    ...(os && { os: [os] }),
  };
}
