// Lets the examples find the agent frameworks, which are installed here and not in the root:
//
//   node --import ./test/agents/register.mjs examples/adapters/ai-sdk.mjs
import { register } from "node:module";

register("./resolve.mjs", import.meta.url);
