// Hands a text to the person's own editor, in a file that only they can read, and takes it back.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../screen/capabilities.js";

export type Edited =
  | { readonly kind: "edited"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly command: string; readonly reason: string };

export interface EditorProcess {
  readonly environment: Environment;
  /** Descriptors of the terminal: standard input may be a pipe that brought the ask. */
  readonly input: number;
  readonly output: number;
}

/** Runs `$VISUAL` or `$EDITOR` on a text. The terminal must not be in raw mode. */
export async function editExternally(text: string, name: string, on: EditorProcess): Promise<Edited> {
  const command = on.environment.VISUAL || on.environment.EDITOR;
  if (command === undefined || command === "") return { kind: "missing" };
  const folder = await mkdtemp(join(tmpdir(), "askline-"));
  try {
    const file = join(folder, name);
    await writeFile(file, text, { mode: 0o600 });
    await run(command, file, on);
    const edited = (await readFile(file, "utf8")).replaceAll("\r\n", "\n");
    // Editors end a file with a newline that nobody has typed.
    return { kind: "edited", text: text.endsWith("\n") ? edited : edited.replace(/\n$/, "") };
  } catch (error) {
    return { kind: "failed", command, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(command: string, file: string, { input, output }: EditorProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const stdio = [input, output, output];
    // The command may have arguments of its own, such as `code --wait`.
    const child =
      process.platform === "win32"
        ? spawn(`${command} "${file}"`, { shell: true, stdio })
        : spawn("/bin/sh", ["-c", `${command} "$1"`, "sh", file], { stdio });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(signal === null ? `exit code ${code}` : signal));
    });
  });
}
