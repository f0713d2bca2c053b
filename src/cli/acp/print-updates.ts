import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { displayLine, displayText } from "../../core/text/display.js";
import { jsonText } from "../output/print.js";
import type { World } from "../world/world.js";

export interface UpdatePrinter {
  print(update: SessionUpdate): void;
  /** Writes a line to stderr, below what the agent wrote so far. */
  say(text: string): void;
  /** Ends the line that the agent has begun. */
  endTurn(): void;
}

/** What the agent says goes to stdout, what it does to stderr; with `--json`, every update is a line on stdout. */
export function updatePrinter({ stdout, stderr }: World, json: boolean): UpdatePrinter {
  let inLine = false;
  const endLine = (): void => {
    if (inLine) stdout.write("\n");
    inLine = false;
  };
  const say = (text: string): void => {
    endLine();
    stderr.write(`${text}\n`);
  };
  return {
    say,
    endTurn: endLine,
    print(update) {
      if (json) {
        stdout.write(`${jsonText(update, stdout)}\n`);
        return;
      }
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
        const text = displayText(String((update.content as { readonly text?: unknown }).text ?? ""));
        if (text === "") return;
        stdout.write(text);
        inLine = !text.endsWith("\n");
      } else if (update.sessionUpdate === "tool_call") {
        say(`· ${displayLine(update.title)}`);
      }
    },
  };
}
