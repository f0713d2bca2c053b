// Notices that Codex took another answer than ours. Codex takes the first response to a request and ignores the others,
// and it does not say whose it took. What becomes of the command or the change shows it: an item that was approved here
// and ends as declined, or was rejected here and ran.

import { isRecord, type JsonObject } from "../../core/kit/json.js";
import { keepNewest } from "../../core/kit/tools.js";
import type { CodexRequest } from "./requests.js";

export interface Effects {
  /** Codex asks about an item: an answer to an earlier question about it no longer decides how it ends. */
  asked(request: CodexRequest): void;
  sent(request: CodexRequest, askId: string, result: JsonObject): void;
  /** An item has ended. Returns what to warn of, if it did not end as the answer from here said. */
  ended(threadId: string, item: unknown): string | undefined;
}

/** Answers that are remembered until their item ends. */
const REMEMBERED = 1_000;

export function createEffects(): Effects {
  const answers = new Map<string, { readonly askId: string; readonly accepted: boolean }>();
  return {
    asked({ threadId, params }) {
      answers.delete(itemName(threadId, params.itemId));
    },
    sent({ method, threadId, params }, askId, { decision }) {
      // A rejected host, or a tool of an MCP server, does not decide how an item ends.
      const decides =
        method === "item/fileChange/requestApproval" ||
        (method === "item/commandExecution/requestApproval" && (params.kind ?? "command") === "command");
      if (!decides) return;
      answers.set(itemName(threadId, params.itemId), { askId, accepted: decision !== "decline" });
      keepNewest(answers, REMEMBERED);
    },
    ended(threadId, item) {
      if (!isRecord(item)) return undefined;
      const name = itemName(threadId, item.id);
      const answer = answers.get(name);
      answers.delete(name);
      if (answer === undefined) return undefined;
      const { askId, accepted } = answer;
      const { status, exitCode } = item;
      const ran = status === "completed" || (status === "failed" && typeof exitCode === "number");
      if (accepted && status === "declined") {
        return `the approval of ${askId} had no effect: it was declined in Codex at the same time, and did not run`;
      }
      if (!accepted && ran) {
        return `the rejection of ${askId} had no effect: it was approved in Codex at the same time, and has run`;
      }
      return undefined;
    },
  };
}

export function itemName(threadId: string, itemId: unknown): string {
  return JSON.stringify([threadId, itemId ?? null]);
}
