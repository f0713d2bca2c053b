// Sees to the packages of bench/package.json: what askline is compared with, kept out of the main install.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const stamp = new URL("node_modules/.bench-installed", import.meta.url);

/** Installs where nothing is installed, or something else than the lock says. Throws when it cannot. */
export function requirePackages() {
  const wanted = fingerprint();
  if (installed() === wanted) return;
  console.log("installing the bench's own packages, once: better-sqlite3 may compile for some minutes");
  const { status, error } = spawnSync("npm", ["ci", "--prefix", folder, "--no-audit", "--no-fund"], {
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (error !== undefined || status !== 0) {
    const reason = error?.message ?? `npm ended with ${status}`;
    throw new Error(
      `the bench's packages could not be installed (${reason}): npm needs its registry, and a C++ compiler where better-sqlite3 has no prebuilt file`,
    );
  }
  // Written last, so that an install that was interrupted is begun again.
  writeFileSync(stamp, wanted);
}

function installed() {
  try {
    return readFileSync(stamp, "utf8");
  } catch {
    return undefined;
  }
}

// Compiled packages fit one ABI of Node, so another Node needs another install.
function fingerprint() {
  const lock = readFileSync(new URL("package-lock.json", import.meta.url));
  return createHash("sha256").update(lock).update(process.versions.modules).digest("hex");
}
