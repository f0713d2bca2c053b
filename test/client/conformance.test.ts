import { connect } from "../../src/client/index.js";
import { fakeClock } from "../../src/testing/fake-clock.js";
import { resolverSuite, scriptedAnswerer } from "../../src/testing/index.js";
import { testSuite } from "../support/run-suite.js";
import { openServer } from "./real-server.js";

// The server's time is the suite's; the client's own is real, as its requests are.
const clock = fakeClock();

testSuite("the resolver suite on a client of a server", resolverSuite, {
  clock,
  person: "ana",
  async open(script) {
    const server = await openServer({ clock });
    const agent = connect({ url: server.url, token: server.agentToken });
    const inbox = connect({ url: server.url, token: await server.token("person", "ana") });
    const answerer = scriptedAnswerer(inbox, script, { person: "ana" });
    return {
      resolver: agent,
      async close() {
        await answerer.close();
        await inbox.close();
        await agent.close();
        await server.close();
      },
    };
  },
});
