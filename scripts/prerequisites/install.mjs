import { spawn } from "node:child_process";

const PROGRESS_MS = 10_000;

/**
 * Runs an installer to its end, with a line at its start, every ten seconds and at its end. Returns undefined on
 * success, otherwise why it failed.
 */
export async function install(what, program, args, options = {}) {
  console.log(`installing ${what}: ${program} ${args.join(" ")}`);
  const started = performance.now();
  const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`;
  const progress = setInterval(() => console.log(`installing ${what}: ${seconds()}`), PROGRESS_MS);
  const failure = await run(program, args, options);
  clearInterval(progress);
  if (failure === undefined) console.log(`installed ${what} in ${seconds()}`);
  return failure;
}

/** Runs a program quietly. Returns undefined on success, otherwise the command and the last lines of its output. */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const keep = (chunk) => {
      output = (output + chunk).slice(-4_000);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const fail = (why) => resolve(`${program} ${args.join(" ")}: ${why}`);
    child.once("error", ({ message }) => fail(message));
    child.once("close", (code) => {
      if (code === 0) resolve(undefined);
      else fail(output.trim().split("\n").slice(-3).join(" / "));
    });
  });
}

/** Installs a Debian package; if the list of packages is too old for it, updates the list first. Needs root. Starts no service: the tests start their own. */
export async function installByApt(what, name) {
  if (process.getuid?.() !== 0) return "apt-get: needs root";
  const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", SYSTEMD_OFFLINE: "1" } };
  const args = ["install", "-y", "--no-install-recommends", name];
  if ((await install(what, "apt-get", args, options)) === undefined) return undefined;
  await run("apt-get", ["update"], options);
  return install(what, "apt-get", args, options);
}
