import { createRequire } from "node:module";
import type { Database } from "../settings/database.js";
import { type Finding, ok, wrong } from "./finding.js";

/** The package that only PostgreSQL needs. */
export async function checkPackage({ kind }: Pick<Database, "kind">): Promise<Finding> {
  const version = await installedVersion();
  if (version !== undefined) return ok("pg", `${version} is installed`);
  return kind === "postgres"
    ? wrong("pg", "the package pg is not installed, and PostgreSQL needs it", "npm install pg")
    : ok("pg", "not installed, and only PostgreSQL needs it");
}

async function installedVersion(): Promise<string | undefined> {
  try {
    const { version } = createRequire(import.meta.url)("pg/package.json") as { readonly version: string };
    return version;
  } catch {
    return undefined;
  }
}
