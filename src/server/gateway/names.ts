// What asks are called on devices. A device knows an ask by the id that its host gave it, questionId or executionId, and
// hosts count such ids (`exec-1`): several asks may have the same. The name belongs to the first ask that was shown under
// it, on every device, until 30 days after it was pruned; other asks are shown by their own id. docs/decisions/0012 has
// the reasons.

import { keepNewest } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import { NAME_NAMESPACE } from "../../hub/records/names.js";
import type { Hub } from "../../hub/seam/port.js";

/** Marks an ask from the gateway: its key is a questionId, which devices use as its name. */
export const GATEWAY_MARK: Readonly<Record<string, true>> = { gateway: true };

/** Asks whose names are remembered here: the devices that an ask is shown to get it at nearly the same time. */
const MOST_REMEMBERED = 1_000;

export interface Names {
  /** The name of an ask. It is stored before it is returned; at once if it is remembered. */
  of(ask: Ask): string | Promise<string>;
  /** The id of the ask that a name belongs to, if it belongs to one. */
  askIdOf(name: string): Promise<string | undefined>;
}

export function createNames({ records }: Pick<Hub, "records">): Names {
  const remembered = new Map<string, string | Promise<string>>();

  const remember = (askId: string, name: string | Promise<string>): void => {
    remembered.set(askId, name);
    keepNewest(remembered, MOST_REMEMBERED);
  };

  const askIdOf = async (name: string): Promise<string | undefined> => {
    const value = (await records.get(NAME_NAMESPACE, name))?.value;
    return typeof value === "string" ? value : undefined;
  };

  const give = async (askId: string, wanted: string): Promise<string> => {
    try {
      let owner = await askIdOf(wanted);
      if (owner === undefined) {
        const put = await records.put(NAME_NAMESPACE, wanted, askId, { expect: null });
        owner = put.ok || put.current?.value === askId ? askId : undefined;
      }
      const name = owner === askId ? wanted : askId;
      remember(askId, name);
      return name;
    } catch (error) {
      remembered.delete(askId);
      throw error;
    }
  };

  return {
    of(ask) {
      const wanted = wantedName(ask);
      if (wanted === ask.id) return ask.id;
      const known = remembered.get(ask.id);
      if (known !== undefined) return known;
      const given = give(ask.id, wanted);
      // A device that is gone by then does not wait for it.
      given.catch(() => undefined);
      remember(ask.id, given);
      return given;
    },
    askIdOf: async (name) => (isAskId(name) ? name : askIdOf(name)),
  };
}

/** The id that its host gave the ask, unless it could be taken for the id of another ask; its own id for any other ask. */
export function wantedName(ask: Ask): string {
  const { id, key } = ask;
  return isFromGateway(ask) && key !== undefined && !isAskId(key) ? key : id;
}

/** Whether a host of the gateway has asked it. */
export function isFromGateway({ metadata }: Ask): boolean {
  return metadata?.gateway === GATEWAY_MARK.gateway;
}

function isAskId(name: string): boolean {
  return name.startsWith("ask_");
}
