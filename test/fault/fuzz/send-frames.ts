// A WebSocket of the gateway or of a session, and frames that are wrong at any level.

import { WebSocket } from "ws";
import { isRecord } from "../../../src/core/kit/json.ts";
import { WAIT_MS } from "../../support/limits.ts";
import { mutateJson } from "../../support/mutate-json.ts";
import { pick, type Random, randomOf } from "../../support/random.ts";
import { FRAMES, MESSAGES } from "./documents.ts";
import { judge, judgeFrameError } from "./judge.ts";
import type { World } from "./world.ts";

const CLOSE_CODES = new Set([1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009]);

/** Bytes that are no frame, or none that may stand here: reserved bits, no mask, broken UTF-8, endless lengths. */
const BROKEN_BYTES = [
  ...[
    "f18000000000",
    "8105616161",
    "83800000",
    "8181000000 00ff",
    "8a7effff",
    "01800000000009800000000001800000000080",
  ],
  ...[
    "81ffffffffffffffffff",
    "88810000000000",
    "8882000000000001",
    "c18000000000",
    "80800000000080800000000000",
  ],
].map((hex) => Buffer.from(hex.replaceAll(" ", ""), "hex"));

/** Sends some frames; gives how many, and what was wrong with what came back. */
export async function sendFrames(
  world: World,
  seed: number,
): Promise<{ readonly frames: number; readonly wrong: string | undefined }> {
  const random = randomOf(seed);
  const { agent, person, admin } = world.tokens;
  const gateway = random() < 0.7;
  const session = `fuzz-${Math.floor(seed / 2_000)}-${Math.floor(random() * 4)}`;
  const path = gateway
    ? `/v1/gateway${pick(["", "?role=device", "?timeoutMs=50", "?surface=pager", "?role=x"], random)}`
    : `/v1/sessions/${session}/stream${pick(["", "?after=0", "?after=x"], random)}`;
  const token = random() < 0.85 ? pick([agent, person, admin], random) : pick(world.links, random);
  const socket = new WebSocket(`ws://127.0.0.1:${world.port}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  let wrong: string | undefined;
  let frames = 0;
  const note = (found: string | undefined): void => {
    wrong ??= found;
  };
  const timer = setTimeout(() => {
    note(`the connection neither opened nor ended within ${WAIT_MS} ms`);
    socket.terminate();
  }, WAIT_MS);
  await new Promise<void>((resolve) => {
    socket.on("unexpected-response", (request, response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += String(chunk);
      });
      response.on("close", () => {
        note(judge({ status: response.statusCode ?? 0, headers: response.headers, body }, "GET"));
        request.destroy();
        resolve();
      });
    });
    socket.on("error", () => undefined);
    socket.on("message", (data) => note(judgeFrame(String(data))));
    socket.on("close", (code) => {
      if (!CLOSE_CODES.has(code)) note(`it closed with ${code}`);
      resolve();
    });
    socket.on("open", () => {
      stream(socket)?.on("error", () => undefined);
      frames = 1 + Math.floor(random() * 8);
      for (let count = 0; count < frames; count += 1)
        sendOne(socket, gateway ? FRAMES : MESSAGES, seed + count, random);
      if (random() < 0.2) socket.terminate();
      else socket.close();
    });
  });
  clearTimeout(timer);
  return { frames, wrong };
}

function sendOne(socket: WebSocket, documents: readonly unknown[], seed: number, random: Random): void {
  const form = random();
  const bytes = form < 0.05 ? stream(socket) : undefined;
  if (bytes !== undefined) bytes.write(pick(BROKEN_BYTES, random));
  else if (form < 0.1) socket.send(Buffer.from(Array.from({ length: 50 }, () => Math.floor(random() * 256))));
  else if (form < 0.13) socket.ping("x".repeat(125));
  else if (form < 0.132) socket.send("x".repeat(2_200_000));
  else {
    const document = form < 0.5 ? pick(documents, random) : mutateJson(documents, seed);
    socket.send(typeof document === "string" ? document : (JSON.stringify(document) ?? ""));
  }
}

/** What lies under it: to send what `ws` would not. */
function stream(socket: WebSocket): NodeJS.WritableStream | undefined {
  return (socket as unknown as { readonly _socket?: NodeJS.WritableStream })._socket;
}

function judgeFrame(text: string): string | undefined {
  const frame: unknown = JSON.parse(text);
  if (!isRecord(frame) || typeof frame.type !== "string")
    return `a frame without a type: ${text.slice(0, 200)}`;
  if (frame.type === "error") return judgeFrameError(frame.payload ?? frame.error);
  return frame.type === "rejection" ? judgeFrameError(frame.payload) : undefined;
}
