import { describe, expect, it } from "vitest";
import { connect } from "../../src/client/index.js";
import { errorOf, openClient, question, reason } from "./open-client.js";
import { answered, scriptedServer } from "./scripted-server.js";

describe("what cannot be sent", () => {
  it.each([
    [{ url: "ftp://example.com" }, /http/],
    [{ url: "/relative" }, /http/],
    [{ url: "https://user:secret@example.com" }, /^(?!.*secret).*example\.com must not contain a user/],
    [{ url: "https://example.com/?token=secret" }, /^(?!.*secret)/],
    [{ urls: [] }, /needs a url/],
    [{ url: "http://a", token: "a\r\nX-Evil: 1" }, /a token must be/],
    [{ url: "http://a", token: "" }, /a token must be/],
    [{ url: "http://a", surface: "Küche" }, /a surface must be/],
    [{ url: "http://a", holdSeconds: 61 }, /holdSeconds/],
    [{ url: "http://a", retryForMs: Number.NaN }, /retryForMs/],
  ])("is refused by connect: %j", (options, message) => {
    expect(() => connect(options)).toThrow(message);
  });

  it.each(["", ".", "..", "../asks", "a/b", "a b", "a\nb", "\\", "\ud800"])(
    "is an id that leads elsewhere: %j",
    async (id) => {
      const server = await scriptedServer(answered);
      const { client } = openClient({ url: server.url });
      for (const call of [client.get(id), client.answer(id, reason), client.wait(id), client.withdraw(id)]) {
        expect((await errorOf(call)).code).toBe("not_found");
      }
      expect(server.seen).toEqual([]);
    },
  );

  it("is an attempt or a surface that breaks a header, and an answer of a policy", async () => {
    const server = await scriptedServer(answered);
    const { client } = openClient({ url: server.url });
    const person = { kind: "person", id: "ana", surface: "a\r\nb" } as const;
    expect((await errorOf(client.answer("ask_1", reason, { settlementId: "a\nb" }))).code).toBe(
      "invalid_request",
    );
    expect((await errorOf(client.answer("ask_1", reason, { by: person }))).code).toBe("invalid_request");
    const policy = { kind: "policy", name: "auto" } as const;
    expect((await errorOf(client.decline("ask_1", "no", { by: policy }))).code).toBe("forbidden");
    expect(server.seen).toEqual([]);
  });

  it("is an ask that JSON would change or cannot hold", async () => {
    const server = await scriptedServer(answered);
    const { client } = openClient({ url: server.url });
    const circle: Record<string, unknown> = {};
    circle.circle = circle;
    const bad = [
      { ...question, timeoutMs: Number.POSITIVE_INFINITY },
      { ...question, metadata: circle },
      { ...question, metadata: { big: 1n } },
      undefined,
      "questions",
      [question],
    ];
    for (const request of bad) {
      const failed = await errorOf(client.ask(request as typeof question));
      expect(failed).toMatchObject({ code: "invalid_ask", issues: [{ code: "wrong_type" }] });
    }
    expect(server.seen).toEqual([]);
  });
});
