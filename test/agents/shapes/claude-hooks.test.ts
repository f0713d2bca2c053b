import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ASKING_EVENTS, askOfHook, callOf, readClaudeHook } from "../../../src/agents/shapes/claude/hooks.js";
import { parseAsk } from "../../../src/index.js";

interface Recorded {
  readonly version: string;
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

const { events, version } = JSON.parse(
  readFileSync(new URL("../../vectors/claude-hooks.json", import.meta.url), "utf8"),
) as Recorded;

/** The recorded event of this name, for this tool. */
function recorded(event: string, tool?: string): unknown {
  const found = events.find((each) => each.hook_event_name === event && each.tool_name === tool);
  if (found === undefined) throw new Error(`${event} of ${tool} was not recorded`);
  return found;
}

function hook(event: string, tool?: string) {
  const read = readClaudeHook(recorded(event, tool));
  if (read === undefined) throw new Error("not an event");
  return read;
}

describe(`events of Claude Code ${version}`, () => {
  it.each(events.map((event) => [`${event.hook_event_name} ${event.tool_name ?? ""}`, event]))(
    "%s is read, without the output of a tool, and asks only where it should",
    (_name, event) => {
      const read = readClaudeHook(event);
      expect(read).toMatchObject({ event: event.hook_event_name, session: event.session_id });
      expect(JSON.stringify(read)).not.toContain("tool_response");
      if (read === undefined) return;
      const ask = askOfHook(read);
      expect(ask !== undefined).toBe(ASKING_EVENTS.includes(read.event));
      if (ask !== undefined) expect(parseAsk(ask)).toMatchObject({ ok: true });
    },
  );

  it("belong together: what the tool ran with is what was asked about", () => {
    for (const tool of ["AskUserQuestion", "Bash"]) {
      expect(callOf(hook("PostToolUse", tool))).toBe(callOf(hook("PermissionRequest", tool)));
    }
    expect(callOf(hook("PostToolUse", "Bash"))).not.toBe(
      callOf(hook("PermissionRequest", "AskUserQuestion")),
    );
  });

  it("offer Claude Code's own rules in its words", () => {
    expect(askOfHook(hook("PermissionRequest", "Bash"))?.approval?.actions[0]?.rules).toEqual([
      'Claude Code: addDirectories "/home/ana/project", kept in session',
      "Claude Code: setMode acceptEdits, kept in session",
    ]);
  });

  it.each([
    undefined,
    null,
    1,
    "x",
    [],
    {},
    { hook_event_name: "Stop" },
    { session_id: "s", hook_event_name: 1 },
  ])("are not %j", (body) => {
    expect(readClaudeHook(body)).toBeUndefined();
  });
});
