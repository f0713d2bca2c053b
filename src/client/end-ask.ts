import type { DeliveredAsk } from "../core/model/ask.js";
import { malformed } from "./failed-try.js";
import { askPath, type Http, type PatientCall } from "./http.js";
import { randomId } from "./random-id.js";
import { headerValue } from "./responses.js";
import { readAskBody } from "./wire.js";

/** Calls a route that ends an ask. `attempt` identifies the call when it is tried again. */
export async function endAsk(
  http: Http,
  id: string,
  action: string,
  body: object,
  attempt: string = randomId("settlement"),
  call?: Partial<PatientCall>,
): Promise<DeliveredAsk> {
  return http.request(
    {
      method: "POST",
      path: askPath(id, action),
      ...call,
      headers: { ...call?.headers, "idempotency-key": headerValue("a settlementId", attempt) },
      body: JSON.stringify(body),
    },
    (reply) => {
      const ask = readAskBody(reply.body, id);
      if (!ask.outcome) throw malformed(`${id} should be settled, but is pending`);
      return ask;
    },
  );
}
