// Takes the terminal over, says what happens to it, and ends as the key asks for.
import { nodeTerminal } from "../../../../dist/people/terminal/screen/terminal.js";

const terminal = nodeTerminal({
  input: process.stdin,
  output: process.stdout,
  capabilities: { bracketedPaste: true, keyboard: "kitty" },
});

const keys = {
  q: () => terminal.close(),
  x: () => process.exit(3),
  e: () => {
    throw new Error("a fault");
  },
  h: () => {
    process.once("SIGTERM", () => terminal.write("<handled>\n"));
    process.kill(process.pid, "SIGTERM");
  },
  t: () => process.kill(process.pid, "SIGTERM"),
  "\x1a": () => terminal.suspend(),
};

terminal.open({
  input: (bytes) => {
    const text = Buffer.from(bytes).toString();
    terminal.write(`<input ${JSON.stringify(text)}>`);
    keys[text]?.();
  },
  resize: () => terminal.write(`<size ${terminal.columns}x${terminal.rows}>`),
  release: () => terminal.write("<release>"),
  resume: () => terminal.write("<resume>"),
  end: () => {
    terminal.write("<end>");
    terminal.close();
  },
});
terminal.write("<open>");
