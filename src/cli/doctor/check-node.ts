import { lowestNode } from "../package-version.js";
import type { World } from "../world.js";
import { type Finding, ok, wrong } from "./finding.js";

export function checkNode({ nodeVersion }: World): Finding {
  const lowest = lowestNode();
  return isAtLeast(nodeVersion, lowest)
    ? ok("Node", nodeVersion)
    : wrong(
        "Node",
        `${nodeVersion} is too old: this needs ${lowest} or newer`,
        `install Node ${lowest} or newer from nodejs.org, or with your version manager: nvm install --lts`,
      );
}

function isAtLeast(version: string, lowest: string): boolean {
  const numbers = (text: string): readonly number[] => text.replace(/^v/, "").split(".").map(Number);
  const [major = 0, minor = 0] = numbers(version);
  const [needsMajor = 0, needsMinor = 0] = numbers(lowest);
  return major > needsMajor || (major === needsMajor && minor >= needsMinor);
}
