// What must go well all the while: whole lives of asks, and the tidying up behind those that the fuzz left open.

import { deepStrictEqual } from "node:assert/strict";
import type { Agent } from "node:http";
import type { Ask } from "../../../src/index.ts";
import { send } from "./send.ts";
import { keepAsk, type World } from "./world.ts";

export interface Valid {
  /** Asks, looks, answers and looks again; throws where anything is not as it should be. Four requests. */
  life(name: string): Promise<void>;
  /** Whether it is up and its store answers; takes back what is pending. Gives how many requests that took. */
  tidyUp(): Promise<number>;
}

interface Reply {
  readonly ask: Ask;
  readonly asks: readonly Ask[];
}

export function validRequests(world: World, agent: Agent): Valid {
  const { tokens, port } = world;
  const call = async (token: string, line: string, status: number, body?: object): Promise<Reply> => {
    const [method = "GET", path = "/"] = line.split(" ");
    const received = await send(
      {
        method,
        path,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        mayHold: false,
      },
      { agent, port },
    );
    if (received?.status !== status) {
      throw new Error(`${line} should be ${status}, but is ${received?.status}: ${received?.body}`);
    }
    return JSON.parse(received.body) as Reply;
  };

  return {
    async life(name) {
      const questions = [{ question: `Is ${name} well?`, options: ["Yes", "No"] }];
      const { ask } = await call(tokens.agent, "POST /v1/asks", 201, {
        questions,
        session: "valid",
        key: name,
      });
      keepAsk(world, ask.id);
      const again = await call(tokens.agent, "POST /v1/asks", 200, {
        questions,
        session: "valid",
        key: name,
      });
      deepStrictEqual(again.ask.id, ask.id);
      const answers = [{ question: "q1", selected: ["Yes"] }];
      // Somebody of the fuzz may have been faster with this ask, and then it stands as they ended it.
      const own = await call(tokens.admin, "POST /v1/asks", 201, {
        questions,
        session: "valid",
        recipients: ["ana"],
      });
      const ended = await call(tokens.person, `POST /v1/asks/${own.ask.id}/answer`, 200, { answers });
      deepStrictEqual(ended.ask.outcome, {
        kind: "answered",
        answers: [{ question: "q1", selected: ["o1"] }],
        choices: [{ question: "q1", labels: ["Yes"] }],
        by: { kind: "person", id: "ana", surface: "api" },
      });
      const looked = await call(tokens.admin, `GET /v1/asks/${own.ask.id}`, 200);
      deepStrictEqual(looked.ask, ended.ask);
    },

    async tidyUp() {
      await call(tokens.agent, "GET /healthz", 200);
      await call(tokens.agent, "GET /readyz", 200);
      const { asks } = await call(tokens.admin, "GET /v1/asks?status=pending&limit=500&order=newest", 200);
      const left = asks.filter(({ id }) => !world.asks.includes(id));
      await Promise.all(left.map(({ id }) => takeBack(id)));
      return 3 + left.length;
    },
  };

  /** Its deadline, or its agent, may have been faster. */
  async function takeBack(id: string): Promise<void> {
    const planned = {
      method: "POST",
      path: `/v1/asks/${id}/withdraw`,
      headers: { authorization: `Bearer ${tokens.admin}` },
      mayHold: false,
    };
    const received = await send(planned, { agent, port });
    if (received?.status !== 200 && received?.status !== 409) {
      throw new Error(`withdrawing ${id}: ${received?.status} ${received?.body}`);
    }
  }
}
