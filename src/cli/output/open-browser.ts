import { spawn } from "node:child_process";
import { displayLine } from "../../core/text/display.js";
import type { World } from "../world/world.js";

const BROWSERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Resolves when the browser was started, not when it ends. */
export function openBrowser(link: string, { environment, stderr }: World): Promise<void> {
  const own = environment.BROWSER ? [environment.BROWSER] : undefined;
  const [command = "xdg-open", ...args] = own ?? BROWSERS[process.platform] ?? [];
  return new Promise((resolve) => {
    const child = spawn(command, [...args, link], { stdio: "ignore", detached: true });
    child.once("spawn", () => {
      child.unref();
      resolve();
    });
    child.once("error", (error) => {
      stderr.write(
        `askline: cannot start ${displayLine(command)} (${error.message}); open the link yourself\n`,
      );
      resolve();
    });
  });
}

/** Whether a browser can be shown: at a terminal, on a machine with a display. */
export function hasDisplay({ stdout, environment }: Pick<World, "stdout" | "environment">): boolean {
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY } = environment;
  const isDesktop = process.platform === "darwin" || process.platform === "win32";
  return stdout.isTTY === true && (isDesktop || Boolean(BROWSER || DISPLAY || WAYLAND_DISPLAY));
}
