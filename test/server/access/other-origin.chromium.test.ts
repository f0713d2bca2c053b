import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Authenticate } from "../../../src/server/index.js";
import { startChromium } from "../../support/chromium.ts";
import { closeServers, type OpenServer, openServer, until, yes } from "../open-server.ts";

let chromium: Browser;
const others: Server[] = [];
const contexts: BrowserContext[] = [];
beforeAll(async () => {
  chromium = await startChromium();
});
afterAll(async () => {
  await chromium.close();
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  for (const other of others.splice(0)) {
    other.closeAllConnections();
    other.close();
  }
  await closeServers();
});

/** A page of another origin of the same site, so that browsers add the cookies and passwords of the host. */
async function openOtherOrigin(): Promise<string> {
  const other = createServer((_incoming, outgoing) => {
    outgoing.writeHead(200, { "content-type": "text/html" }).end("<title>elsewhere</title>");
  });
  others.push(other);
  await new Promise<void>((resolve) => {
    other.listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
}

const ANA = { role: "person", name: "ana" } as const;
const PASSWORD = `Basic ${Buffer.from("ana:secret").toString("base64")}`;

const SIGN_INS: Readonly<
  Record<string, { readonly authenticate: Authenticate; signIn(open: OpenServer, page: Page): Promise<void> }>
> = {
  "a cookie of the host": {
    authenticate: ({ headers }) => (headers.get("cookie")?.includes("host=ana") ? ANA : undefined),
    signIn: async (open, page) => {
      await page.context().addCookies([{ name: "host", value: "ana", url: open.url }]);
    },
  },
  "a password that the browser keeps": {
    authenticate: ({ headers }) => (headers.get("authorization") === PASSWORD ? ANA : undefined),
    async signIn(open, page) {
      open.nodeServer.prependListener("request", (incoming, outgoing) => {
        if (incoming.url !== "/sign-in") return;
        const known = incoming.headers.authorization === PASSWORD;
        outgoing.writeHead(known ? 404 : 401, { "www-authenticate": 'Basic realm="host"' }).end("host");
      });
      await page.goto(`${open.url.replace("//", "//ana:secret@")}/sign-in`);
    },
  },
  "a proxy that signs everybody in": { authenticate: () => ANA, signIn: async () => undefined },
};

/** How a WebSocket of this page ends: "open" once it has sent its frame and got a reply, or "closed". */
function socketOf(page: Page, url: string, protocols: readonly string[], frame: object): Promise<string> {
  return page.evaluate(
    ([target, offered, text]) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(target, [...offered]);
        socket.onopen = () => socket.send(text);
        socket.onmessage = () => resolve("open");
        socket.onclose = () => resolve("closed");
      }),
    [url.replace(/^http/, "ws"), protocols, JSON.stringify(frame)] as const,
  );
}

const OFFERS: readonly (readonly string[])[] = [
  [],
  ["askline.gateway.v1"],
  ["askline.gateway.v1", "askline.token.x"],
  ["askline.token.x"],
];

describe.each(Object.entries(SIGN_INS))(
  "a page of another origin, with %s",
  (_name, { authenticate, signIn }) => {
    const visit = async (open: OpenServer, origin: string): Promise<Page> => {
      const context = await chromium.newContext();
      contexts.push(context);
      const page = await context.newPage();
      await signIn(open, page);
      await page.goto(origin);
      return page;
    };

    it("approved as the person over a WebSocket, whatever it offered", async () => {
      const open = await openServer({ authenticate });
      const ask = await open.hub.post({ approval: { actions: [{ name: "rm", args: { path: "/" } }] } });
      const page = await visit(open, await openOtherOrigin());
      for (const protocols of OFFERS) {
        const decision = { type: "approval", decision: "approve", askId: ask.id };
        expect(await socketOf(page, `${open.url}/v1/gateway`, protocols, decision)).toBe("closed");
        expect(await socketOf(page, `${open.url}/v1/sessions/s/stream`, protocols, decision)).toBe("closed");
      }
      expect(open.server.open().sockets).toBe(0);
      // The same from a page of the server itself.
      await page.goto(`${open.url}/v1/asks`);
      expect(await socketOf(page, `${open.url}/v1/gateway`, ["askline.gateway.v1"], {})).toBe("open");
    });

    it("answered by a request, and opened a stream in which the person counted as there", async () => {
      const open = await openServer({ authenticate, allowedOrigins: ["*"] });
      const ask = await open.hub.post({ questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });
      const origin = await openOtherOrigin();
      const page = await visit(open, origin);
      const statuses: number[] = [];
      open.nodeServer.emit = new Proxy(open.nodeServer.emit, {
        apply(emit, self, args) {
          const [event, incoming, outgoing] = args;
          if (event === "request" && incoming.url.startsWith("/v1/")) {
            outgoing.once("finish", () => statuses.push(outgoing.statusCode));
          }
          return Reflect.apply(emit, self, args);
        },
      });
      await page.evaluate(
        async ([url, id, body]) => {
          for (const mode of ["no-cors", "cors"] as const) {
            const init = { mode, credentials: "include", method: "POST", body } as const;
            await fetch(`${url}/v1/asks/${id}/answer`, init).catch(() => undefined);
            const read = await fetch(`${url}/v1/events`, { mode, credentials: "include" }).catch(
              () => undefined,
            );
            await read?.body?.cancel();
          }
          await new Promise((resolve) => {
            const source = new EventSource(`${url}/v1/events`, { withCredentials: true });
            source.onerror = source.onopen = () => resolve(source.close());
          });
        },
        [open.url, ask.id, JSON.stringify(yes)] as const,
      );
      await until(() => (statuses.length === 5 ? true : undefined));
      expect(statuses).toEqual([403, 403, 403, 403, 403]);
      expect((await open.hub.get(ask.id)).status).toBe("pending");
    });
  },
);

it("a page of any allowed origin answered as whom a proxy signs in, with a token that nobody had checked", async () => {
  const { authenticate } = SIGN_INS["a proxy that signs everybody in"] ?? { authenticate: () => undefined };
  const origin = await openOtherOrigin();
  const context = await chromium.newContext();
  contexts.push(context);
  const page = await context.newPage();
  await page.goto(origin);
  for (const [allowed, expected] of [
    ["*", ["pending", 0]],
    // What it names, it trusts.
    [origin, ["answered", 200]],
  ] as const) {
    const open = await openServer({ authenticate, allowedOrigins: [allowed] });
    const ask = await open.hub.post({ questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });
    const streamed = await page.evaluate(
      async ([url, id, body]) => {
        const headers = { authorization: "Bearer x", "content-type": "application/json" };
        await fetch(`${url}/v1/asks/${id}/answer`, { method: "POST", headers, body });
        const read = await fetch(`${url}/v1/events`, { headers });
        await read.body?.cancel();
        return read.ok ? read.status : 0;
      },
      [open.url, ask.id, JSON.stringify(yes)] as const,
    );
    expect([(await open.hub.get(ask.id)).status, streamed]).toEqual(expected);
  }
});

it("a page of a named origin used the host's cookie over a WebSocket, by offering a token", async () => {
  const { authenticate = () => undefined, signIn } = SIGN_INS["a cookie of the host"] ?? {};
  const origin = await openOtherOrigin();
  const open = await openServer({ authenticate, allowedOrigins: [origin] });
  const context = await chromium.newContext();
  contexts.push(context);
  const page = await context.newPage();
  await signIn?.(open, page);
  await page.goto(origin);
  for (const protocols of OFFERS) {
    expect(await socketOf(page, `${open.url}/v1/gateway`, protocols, {})).toBe("closed");
  }
});

describe("a token among the offered protocols", () => {
  it("works from the server's own and from allowed origins only", async () => {
    const origin = await openOtherOrigin();
    for (const [allowedOrigins, expected] of [
      [[], "closed"],
      [[origin], "open"],
      [["*"], "open"],
    ] as const) {
      const open = await openServer({ allowedOrigins });
      const context = await chromium.newContext();
      contexts.push(context);
      const page = await context.newPage();
      await page.goto(origin);
      const protocols = ["askline.gateway.v1", `askline.token.${await open.token({ role: "person" })}`];
      expect(await socketOf(page, `${open.url}/v1/gateway`, protocols, {})).toBe(expected);
    }
  });
});
