// Where outcomes are sent. A callback is a record beside its ask, not a part of it, because its URL and headers are
// secrets: lists, events, audits and exports are made of asks and events only. It is removed with its ask.
//
// It is written before the ask: an answer that comes at once must find it. A crash between the two leaves a record
// without an ask, which does nothing.

import type { Json } from "../../core/kit/json.js";
import type { Callback } from "../../core/model/callback.js";
import type { Store } from "../seam/store.js";

export const CALLBACK_NAMESPACE = "callback";

export async function putCallback(
  { records }: Pick<Store, "records">,
  askId: string,
  callback: Callback,
): Promise<void> {
  await records.put(CALLBACK_NAMESPACE, keyOf(askId), callback as unknown as Json);
}

export async function getCallback(
  { records }: Pick<Store, "records">,
  askId: string,
): Promise<Callback | undefined> {
  // Safe to cast: only `putCallback` writes this namespace.
  return (await records.get(CALLBACK_NAMESPACE, keyOf(askId)))?.value as unknown as Callback | undefined;
}

export async function deleteCallback({ records }: Pick<Store, "records">, askId: string): Promise<void> {
  await records.delete(CALLBACK_NAMESPACE, keyOf(askId));
}

function keyOf(askId: string): string {
  return `${askId}/callback`;
}
