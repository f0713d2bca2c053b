import { WebSocket } from "ws";
import { gatewayResolver } from "../../../src/client/index.js";
import { fakeClock } from "../../../src/testing/fake-clock.js";
import { resolverSuite, scriptedAnswerer } from "../../../src/testing/index.js";
import type { ResolverCase } from "../../../src/testing/resolver-suite/harness.js";
import { testSuite } from "../../support/run-suite.js";
import { openServer } from "../real-server.js";

// One clock for both ends: the resolver and the server both watch a deadline.
const clock = fakeClock();

/** What a gateway hook cannot express, besides what the harness lacks. */
const NOT_SAID: Readonly<Record<string, string>> = {
  "answered: a note on an answer and one on the whole": "a hook has no notes",
  "texts in any language arrive unchanged": "a hook has no notes, and reads a label's text as the label",
  "declined, with a reason": "a dismissal is an empty map, without a reason",
  "concurrent asks do not mix": "a dismissal is an empty map, without a reason",
  "approved, edited and rejected": "an approval is approved or not, as a whole",
  "an approval can be declined as a whole": "an approval that is declined comes back as rejected",
};

/** A case that cannot run gets a need that the harness lacks, so it is listed with the reason. */
const cases = resolverSuite.map((one) =>
  NOT_SAID[one.name] === undefined ? one : { ...one, needs: [...one.needs, NOT_SAID[one.name]] },
) as unknown as readonly ResolverCase[];

testSuite("the resolver suite on the gateway's resolver and our backend", cases, {
  clock,
  person: "gateway",
  lacks: {
    keys: "each batch has an id of its own, as the document says",
    replies: "a reply is an empty map",
    ...Object.fromEntries(Object.values(NOT_SAID).map((reason) => [reason, reason])),
  },
  async open(script) {
    const server = await openServer({ clock });
    const resolver = gatewayResolver({
      ...{ url: `${server.url}/v1/gateway`, token: server.agentToken, WebSocket, clock },
      ...{ sessionKey: "session", agentId: "agent" },
    });
    const answerer = scriptedAnswerer(server.hub, script, { person: "ana" });
    return {
      resolver,
      async close() {
        await answerer.close();
        await resolver.close();
        await server.close();
      },
    };
  },
});
