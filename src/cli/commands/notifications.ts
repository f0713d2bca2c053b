import { defined } from "../../core/kit/tools.js";
import type { PreferenceChanges } from "../../core/model/notifications.js";
import { agentName } from "../../people/inbox/crowd.js";
import { type RemoteFlags, withClient } from "../connect/open-client.js";
import { type Define, examples, withRemote } from "../input/command.js";
import { print } from "../output/print.js";
import type { World } from "../world/world.js";

export const define: Define = (notifications, { world, end }) => {
  withRemote(notifications)
    .addHelpText("after", HELP)
    .action(async () => end(await runNotifications({}, notifications.optsWithGlobals(), world)));
  for (const [change, what] of [
    ["mute", "get no more messages of an agent, and see its asks as one row in the inbox"],
    ["unmute", "get messages of an agent again"],
  ] as const) {
    const command = notifications.command(change).description(what);
    withRemote(command)
      .argument("<agent>", "the name of the agent, as the inbox shows it first")
      .option("--owner <person>", "only of the agent that works for this person")
      .addHelpText("after", examples(`askline notifications ${change} builder`))
      .action(async (asker: string) => {
        const { owner, ...flags }: RemoteFlags & { readonly owner?: string } = command.optsWithGlobals();
        end(await runNotifications({ [change]: { asker, ...defined({ owner }) } }, flags, world));
      });
  }
};

const HELP = `
Prints your quiet hours, what messages on ntfy may show, and the agents that you muted. Set quiet hours in the inbox
page, under Devices.
${examples("askline notifications", "askline notifications mute builder", "askline notifications --json")}`;

/** `askline notifications`: a person's settings, after a change if there is one. */
async function runNotifications(
  changes: PreferenceChanges,
  flags: RemoteFlags,
  world: World,
): Promise<number> {
  const settings = await withClient(flags, "person", world, ({ client }) =>
    Object.keys(changes).length === 0 ? client.notifications() : client.changeNotifications(changes),
  );
  const { quietHours, privacy, muted = [] } = settings;
  const quiet = quietHours && `${quietHours.from} to ${quietHours.to} (${quietHours.timeZone})`;
  await print(world, flags.json, settings, () =>
    [
      `quiet hours   ${quiet ?? "none"}`,
      `ntfy shows    ${privacy}`,
      `muted agents  ${muted.map(agentName).join(", ") || "none"}`,
    ].join("\n"),
  );
  return 0;
}
