// The tools, in the order in which clients list them, with descriptions that a model can act on.

import type { JsonObject } from "../../core/kit/json.js";
import { profiles } from "../../core/kit/profiles.js";
import { CARD_TOOL } from "../shapes/shared/mcp-card.js";
import { ASK_TOOL_DESCRIPTION, askToolSchema } from "../tool/ask-tool-definition.js";
import { CARD_URI, hasCardOf } from "./cards.js";

export const TOOL_NAMES = [
  "ask_user_question",
  "ask_approval",
  "post_question",
  "get_answer",
  "list_pending",
  "withdraw_question",
  "permission_prompt",
] as const;
export type ToolName = (typeof TOOL_NAMES)[number] | typeof CARD_TOOL;

interface Tool {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject & { readonly type: "object" };
  readonly annotations: JsonObject;
  readonly _meta: JsonObject;
}

const QUESTIONS = askToolSchema(profiles.open) as unknown as Tool["inputSchema"];
const ASK_ID = { type: "string", description: 'The id of the question, such as "ask_0199…".' };

const STILL_PENDING =
  'If nobody answers while the call waits, the result has the status "pending" and an ask_id. The question stays open: call get_answer with that ask_id, and do not ask again.';

const DESCRIPTIONS: Readonly<
  Record<ToolName, readonly [title: string, description: string, schema: JsonObject]>
> = {
  ask_user_question: ["Ask the person", `${ASK_TOOL_DESCRIPTION}\n\n${STILL_PENDING}`, QUESTIONS],
  ask_approval: [
    "Ask for approval",
    `Ask the person to approve one or more actions before you run them, and wait for the decision. Use it before anything that is hard to undo: deleting, deploying, paying, sending. Each action has a name and the exact arguments it would run with. The person approves, edits the arguments, or rejects, for each action; run only what was approved, with the arguments of the decision.\n\n${STILL_PENDING}`,
    {
      type: "object",
      properties: {
        actions: {
          type: "array",
          minItems: 1,
          maxItems: 20,
          description: "The actions, in the order in which they would run.",
          items: {
            type: "object",
            properties: {
              name: { type: "string", description: 'What would run, such as "deploy" or "delete_table".' },
              args: { type: "object", description: "The exact arguments." },
              description: { type: "string", description: "What it does and what follows from it." },
            },
            required: ["name"],
          },
        },
        context: { type: "string", description: "What the person needs to know to decide. Markdown." },
      },
      required: ["actions"],
    },
  ],
  post_question: [
    "Ask now, fetch the answer later",
    "Ask the person and return at once with an ask_id, while you go on with work that does not depend on the answer. Takes the same input as ask_user_question. Fetch the answer with get_answer; never assume one.",
    QUESTIONS,
  ],
  get_answer: [
    "Get an answer",
    `Wait for the answer to a question that was asked before, and return it. ${STILL_PENDING}`,
    {
      type: "object",
      properties: {
        ask_id: ASK_ID,
        wait_seconds: {
          type: "integer",
          minimum: 0,
          maximum: 3600,
          description: "How long to wait at most; 0 only looks. As long as your client allows by default.",
        },
      },
      required: ["ask_id"],
    },
  ],
  list_pending: [
    "List open questions",
    "List the questions that you have asked and that nobody has answered yet, newest first, with their ask_ids.",
    { type: "object", properties: {} },
  ],
  withdraw_question: [
    "Withdraw a question",
    "Take a question back that no longer matters, so that the person does not have to answer it.",
    {
      type: "object",
      properties: { ask_id: ASK_ID, reason: { type: "string", description: "Why, for the person." } },
      required: ["ask_id"],
    },
  ],
  permission_prompt: [
    "Decide on a tool call",
    "Not for models. For `claude -p --permission-prompt-tool mcp__askline__permission_prompt`: asks the person whether a tool may run, and returns the decision as JSON.",
    {
      type: "object",
      properties: {
        tool_name: { type: "string", description: "The tool that wants to run." },
        input: { type: "object", description: "The arguments of the tool." },
        tool_use_id: { type: "string", description: "The id of the tool call." },
      },
      required: ["tool_name", "input"],
    },
  ],
  answer_ask: [
    "Answer a question",
    "Not for models: the card that shows a question to the person answers with it. It demands a token that only the card has.",
    {
      type: "object",
      properties: {
        ask: { type: "string", description: "The id of the question." },
        token: { type: "string", description: "The token of the card." },
        answers: { type: "array", items: { type: "object" }, description: "One answer for each question." },
        decisions: { type: "array", items: { type: "object" }, description: "One decision for each action." },
        note: { type: "string", description: "A note on the whole." },
        decline: { type: "object", description: "The person declined; may have a reason." },
        reply: { type: "object", description: "The person said something else: text." },
      },
      required: ["ask", "token"],
    },
  ],
};

const READ_ONLY: readonly ToolName[] = ["get_answer", "list_pending"];

/** The tools as a client lists them. `card`: whether there is a card to show, and whether the client can show it. */
export function toolsFor({ hasCard, showsCards, trustClient }: CardUse): readonly Tool[] {
  const names: readonly ToolName[] = hasCard && showsCards ? [...TOOL_NAMES, CARD_TOOL] : TOOL_NAMES;
  return names.map((name) => {
    const [title, description, inputSchema] = DESCRIPTIONS[name];
    const visibility = name === CARD_TOOL ? ["app"] : ["model", "app"];
    const isInCard = hasCard && (name === CARD_TOOL || hasCardOf(name, trustClient));
    return {
      name,
      title,
      description,
      inputSchema: inputSchema as Tool["inputSchema"],
      annotations: {
        title,
        readOnlyHint: READ_ONLY.includes(name),
        destructiveHint: false,
        idempotentHint: name !== "post_question",
        openWorldHint: false,
      },
      _meta: {
        // Without it, Claude Code's tool search may hide the tool.
        ...(name !== CARD_TOOL && { "anthropic/alwaysLoad": true }),
        ...(isInCard && { ui: { resourceUri: CARD_URI, visibility } }),
      },
    };
  });
}

interface CardUse {
  readonly hasCard: boolean;
  readonly showsCards: boolean;
  readonly trustClient: boolean;
}
