import type { Auth } from "../../server/index.js";

/** A link that opens a person's inbox in a browser, once. */
export async function inboxLink(auth: Auth, url: string, person: string): Promise<string> {
  const { code } = await auth.createInboxCode(person);
  return `${url}/?code=${code}`;
}
