// A client written from the gateway protocol alone: raw `ws`, without Askline's code.

import { onTestFinished } from "vitest";
import { WebSocket } from "ws";

export interface Envelope {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came is compared, never trusted.
  readonly payload?: any;
}

export interface RawSocket {
  readonly socket: WebSocket;
  /** Sends JSON; text and bytes are sent unchanged. */
  send(message: unknown): void;
  /** The next unread message. */
  next(): Promise<Envelope>;
  /** The unread messages. */
  readonly waiting: readonly Envelope[];
  /** Everything that came before an answer to this ping. */
  untilPong(): Promise<readonly Envelope[]>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  close(): Promise<void>;
}

export interface RawOptions {
  /** The inbox path, for a cookie. */
  readonly base?: string;
  readonly token?: string;
  readonly path?: string;
  readonly query?: string;
  readonly protocols?: string[];
  readonly headers?: Readonly<Record<string, string>>;
}

export async function openRaw(
  { port }: { readonly port: number },
  options: RawOptions = {},
): Promise<RawSocket> {
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}${options.base ?? ""}${options.path ?? "/v1/gateway"}${options.query ?? ""}`,
    options.protocols ?? [],
    {
      headers: {
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
        ...options.headers,
      },
    },
  );
  const raw = wrap(socket);
  onTestFinished(() => raw.close());
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("unexpected-response", (_request, response) => {
      let body = "";
      response.on("data", (part) => {
        body += String(part);
      });
      response.on("end", () => reject(new Error(`${response.statusCode} ${body}`)));
    });
    socket.once("error", reject);
  });
  return raw;
}

export function wrap(socket: WebSocket): RawSocket {
  const waiting: Envelope[] = [];
  let takers: ((message: Envelope) => void)[] = [];
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  socket.on("error", () => undefined);
  socket.on("message", (data) => {
    const message = JSON.parse(String(data)) as Envelope;
    const [taker, ...others] = takers;
    takers = others;
    if (taker === undefined) waiting.push(message);
    else taker(message);
  });
  const next = (): Promise<Envelope> => {
    const message = waiting.shift();
    if (message !== undefined) return Promise.resolve(message);
    return new Promise((resolve) => {
      takers.push(resolve);
    });
  };
  const send = (message: unknown): void => {
    if (typeof message === "string" || message instanceof Uint8Array) socket.send(message);
    else socket.send(JSON.stringify(message));
  };
  return {
    socket,
    waiting,
    closed,
    next,
    send,
    async untilPong() {
      send({ type: "ping" });
      const before: Envelope[] = [];
      for (;;) {
        const message = await next();
        if (message.type === "pong") return before;
        before.push(message);
      }
    },
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.close();
      await closed;
    },
  };
}

/** The gateway protocol's "Full Example Sequence". */
export const EXAMPLE_QUESTION = {
  type: "event",
  payload: {
    event: "ask_user_question",
    payload: {
      sessionKey: "user-42",
      agentId: "coding-agent",
      questionId: "q-abc-123",
      questions: [
        {
          question: "Which testing framework should I use?",
          header: "Testing",
          options: [
            { label: "Jest", description: "Popular, good for React projects" },
            { label: "Vitest", description: "Fast, Vite-native" },
            { label: "Mocha", description: "Flexible, widely used" },
          ],
          multiSelect: false,
        },
      ],
    },
  },
} as const;

export const EXAMPLE_ANSWER = {
  type: "hook.ask_user_answer",
  payload: {
    questionId: "q-abc-123",
    answers: { "Which testing framework should I use?": "Vitest" },
  },
} as const;

/** An `ask_user_question` event around some questions. */
export function questionEvent(questionId: string, questions: readonly object[], more: object = {}): Envelope {
  return {
    type: "event",
    payload: {
      event: "ask_user_question",
      payload: { sessionKey: "user-42", agentId: "coding-agent", questionId, questions, ...more },
    },
  };
}

export function answerHook(questionId: string, answers: unknown): Envelope {
  return { type: "hook.ask_user_answer", payload: { questionId, answers } };
}

export const FEATURES = {
  question: "Which features should I enable?",
  header: "Features",
  options: [
    { label: "Dark mode", description: "Easy on the eyes" },
    { label: "Notifications", description: "Tells you" },
    { label: "Sync", description: "Everywhere" },
  ],
  multiSelect: true,
};

export const DATABASE = {
  question: "Which database should I use for caching?",
  header: "Database",
  options: [
    { label: "Redis", description: "In-memory store, very fast" },
    { label: "SQLite", description: "File-based, no server needed", markdown: "```sql\nselect 1\n```" },
  ],
  multiSelect: false,
};
