// How long a command takes from nothing to its end. An agent starts `ask_user` once a call, so every file
// that it loads is paid for each time; `node -e 0` is what no command written for Node can go below.
import { spawnSync } from "node:child_process";
import { spawn as spawnPty } from "@lydell/node-pty";
import { commandPath, version } from "../askline.mjs";

export const coldStart = {
  name: "cold-start",
  title: "Cold start of the commands",
  rounds: 40,
  warmUp: 3,
  async open() {
    return {
      measurements: [
        { name: "`node -e 0`", unit: "ms", slice: start(["-e", "0"], { prints: "" }) },
        {
          name: "`ask_user`, describe",
          unit: "ms",
          ratioTo: "`node -e 0`",
          budget: { atMost: 1.6 },
          slice: start([commandPath("ask_user")], {
            prints: '"name":"ask_user"',
            env: { TOOLBOX_ACTION: "describe" },
          }),
        },
        {
          name: "`askline --version`",
          unit: "ms",
          ratioTo: "`node -e 0`",
          slice: start([commandPath("askline"), "--version"], { prints: version }),
        },
        {
          name: "`askline ask`, to the first paint in a terminal",
          unit: "ms",
          ratioTo: "`node -e 0`",
          budget: { atMost: 3 },
          slice: paint([commandPath("askline"), "ask", "--question", QUESTION, ...OPTIONS]),
        },
      ],
    };
  },
};

const QUESTION = "Which authentication should the API use?";
const OPTIONS = ["OAuth", "API key"].flatMap((label) => ["--option", label]);

/** From the start of a command in a pseudo-terminal until its question is on the screen. Then it is cancelled. */
function paint(args) {
  return () =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      let shown = "";
      let milliseconds;
      const terminal = spawnPty(process.execPath, args, {
        cols: 80,
        rows: 24,
        env: { ...cleanEnvironment(), TERM: "xterm-256color", LANG: "C.UTF-8" },
      });
      terminal.onData((data) => {
        shown += data;
        if (milliseconds !== undefined || !shown.includes(QUESTION)) return;
        milliseconds = performance.now() - started;
        terminal.write("\u0003");
      });
      terminal.onExit(() => {
        if (milliseconds === undefined) reject(new Error(`node ${args.join(" ")} showed only ${shown}`));
        else resolve(milliseconds);
      });
    });
}

// A file of certificates adds about 95 ms to every start of Node 20 and the others may add anything: none of
// it is ours, and all of it would make our share look smaller.
const FOREIGN = ["NODE_EXTRA_CA_CERTS", "NODE_OPTIONS", "NODE_COMPILE_CACHE", "NODE_V8_COVERAGE"];

function cleanEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.includes(name)));
}

function start(args, { prints, env = {} }) {
  const options = {
    env: { ...cleanEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    timeout: 30_000,
  };
  return () => {
    const started = performance.now();
    const { status, stdout, stderr, error } = spawnSync(process.execPath, args, options);
    const milliseconds = performance.now() - started;
    if (error !== undefined) throw error;
    if (status !== 0 || !stdout.includes(prints)) {
      throw new Error(`node ${args.join(" ")} ended with ${status} and printed ${stdout}${stderr}`);
    }
    return milliseconds;
  };
}
