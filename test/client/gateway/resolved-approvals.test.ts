import { describe, expect, it } from "vitest";
import type { AskInput } from "../../../src/index.js";
import { openScene } from "./open-scene.js";

describe("approvals at a gateway backend", () => {
  const APPROVAL: AskInput = {
    approval: { actions: [{ name: "run_command", args: { command: "ls" }, description: "Lists" }] },
  };

  it.each([
    [{ approved: true }, [{ action: "a1", kind: "approve" }]],
    [{ approved: false, reason: "no" }, [{ action: "a1", kind: "reject", message: "no" }]],
  ])("%j", async (reply, decisions) => {
    const { backend, resolver } = await openScene();
    const outcome = resolver.ask(APPROVAL);
    const plugin = await backend.plugin();
    const sent = await plugin.next();
    const { executionId } = sent.payload.payload;
    expect(sent).toEqual({
      type: "event",
      payload: {
        event: "exec.approval.requested",
        payload: {
          sessionKey: "user-42",
          agentId: "coding-agent",
          executionId,
          action: "run_command",
          args: { command: "ls" },
          summary: "Lists",
        },
      },
    });
    plugin.send({ type: "hook.approval", payload: { executionId, ...reply } });
    expect(await outcome).toMatchObject({ kind: "decided", decisions });
  });
});
