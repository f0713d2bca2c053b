// The accounts of a product: users with passwords, and a cookie for those who have signed in. They know nothing of
// Askline.

import { randomUUID } from "node:crypto";

const PASSWORDS = new Map([
  ["ana", "tulip"],
  ["ben", "heron"],
]);
const sessions = new Map();

/** The cookie of a user who has signed in; undefined for a wrong password. */
export function signIn({ name, password } = {}) {
  if (PASSWORDS.get(name) !== password || password === undefined) return undefined;
  const session = randomUUID();
  sessions.set(session, name);
  return `shop=${session}; HttpOnly; SameSite=Strict; Path=/`;
}

/** The user of a request, by its Cookie header. */
export function userOf(cookie = "") {
  const [, session] = /(?:^|; )shop=([\w-]+)/.exec(cookie ?? "") ?? [];
  return sessions.get(session);
}
