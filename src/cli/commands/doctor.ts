import { examine } from "../doctor/examine.js";
import { reportText } from "../doctor/report.js";
import { FAULT_EXIT_CODE } from "../exit-codes.js";
import { columnsOf, print } from "../print.js";
import type { RemoteFlags } from "../remote/open-client.js";
import type { World } from "../world.js";

/** `askline doctor`: looks at all that a server needs, changes nothing, and says how to mend what is wrong. */
export async function runDoctor(flags: RemoteFlags, world: World): Promise<number> {
  const findings = await examine(flags, world);
  const well = findings.every(({ level }) => level !== "wrong");
  await print(world, flags.json, { ok: well, findings }, () => reportText(findings, columnsOf(world)));
  return well ? 0 : FAULT_EXIT_CODE;
}
