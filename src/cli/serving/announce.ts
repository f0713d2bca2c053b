// What a server prints: the banner of its start, and a line for each ask.

import { defined } from "../../core/kit/tools.js";
import type { Hub } from "../../hub/seam/port.js";
import type { Auth } from "../../server/access/auth.js";
import { credentialsPath, headersPath } from "../connect/credentials.js";
import { askHintOf, hintOf, linkHintOf } from "../connect/hint.js";
import { configuredPerson, inboxLink, type LocalAccess } from "../connect/local-access.js";
import { DEMO_AGENT } from "../demo/run-demo.js";
import { askLogLine } from "../output/ask-log.js";
import { bannerText } from "../output/banner.js";
import { PLAIN_HTTP } from "../output/lan.js";
import { hasDisplay, openBrowser } from "../output/open-browser.js";
import { print } from "../output/print.js";
import { drawCode } from "../output/qr-code.js";
import { shortDuration } from "../output/units.js";
import { describeDatabase } from "../settings/database.js";
import type { SettingFlags, Settings } from "../settings/settings.js";
import { packageVersion } from "../world/package-version.js";
import type { World } from "../world/world.js";

export interface AnnounceFlags extends SettingFlags {
  readonly lan?: boolean;
  readonly open?: boolean;
  readonly printLink?: boolean;
}

export async function announce(
  { url, localUrl }: { readonly url: string; readonly localUrl: string },
  auth: Auth,
  access: LocalAccess | undefined,
  settings: Settings,
  flags: AnnounceFlags,
  world: World,
): Promise<void> {
  const { config } = flags;
  const shownUrl = settings.publicUrl ?? url;
  const person = access?.person ?? (await configuredPerson(auth, settings.person));
  // A one-time code in a log would let every reader of the log into the inbox.
  const mayPrintLink = flags.printLink === true || world.stdout.isTTY === true;
  const inbox = person === undefined || !mayPrintLink ? undefined : await inboxLink(auth, shownUrl, person);
  const report = {
    version: packageVersion(),
    url: shownUrl,
    store: describeDatabase(settings.db),
    retention: settings.retainMs === undefined ? "off" : shortDuration(settings.retainMs),
    ...defined({ inbox, person }),
    dataFolder: settings.data,
    ...(settings.files.length > 0 && { config: settings.files }),
    ...(access !== undefined && {
      credentials: { path: credentialsPath(settings.data), created: access.created },
    }),
  };
  const hints = {
    // The tokens of this machine are filed under the address on this machine.
    localUrl,
    agentHeaders: headersPath(settings.data, localUrl, "agent"),
    hint: askHintOf(localUrl, settings, world),
    ...(settings.db.kind !== "memory" && {
      linkHint: linkHintOf(
        shownUrl,
        person,
        settings,
        world,
        typeof config === "string" ? config : undefined,
      ),
    }),
    ...(access?.credentials.person !== undefined && { inboxHint: hintOf(localUrl, settings, world) }),
  };
  await print(world, flags.json, report, () => `${bannerText({ ...report, ...hints })}\n`);
  if (flags.lan === true && inbox !== undefined) {
    // The code comes last: what follows would move it off a small screen.
    if (!flags.json) world.stderr.write(`${PLAIN_HTTP}\n`);
    await drawCode(inbox, world);
  }
  if (flags.open === true && inbox !== undefined && hasDisplay(world))
    await openBrowser(`${inbox}#open`, world);
}

/** Prints a line for each ask and each end after a position. What the demo asks, it prints itself. */
export async function logAsks(
  hub: Hub,
  after: number,
  signal: AbortSignal,
  { stdout }: World,
): Promise<void> {
  try {
    for await (const event of hub.events({ after, signal })) {
      const line = event.ask?.agentId === DEMO_AGENT ? undefined : askLogLine(event);
      if (line !== undefined) stdout.write(`${line}\n`);
    }
  } catch {
    // The hub was closed.
  }
}
