// Encryption and signature of web push (RFC 8291, RFC 8292), by the package web-push. Only this file imports it, and
// the build bundles it in here: nobody has to install it.

import webPush from "web-push";

export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export function makePushKeys(): PushKeys {
  return webPush.generateVAPIDKeys();
}

export interface PushRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function pushRequest(
  target: { readonly endpoint: string; readonly p256dh: string; readonly auth: string },
  payload: string,
  options: {
    readonly keys: PushKeys;
    readonly contact: string;
    readonly ttlSeconds: number;
    readonly topic: string;
  },
): PushRequest {
  const { endpoint, p256dh, auth } = target;
  const { keys, contact, ttlSeconds, topic } = options;
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    vapidDetails: { subject: contact, ...keys },
    ...{ TTL: ttlSeconds, topic, urgency: "high", contentEncoding: "aes128gcm" },
  });
  const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const { "content-length": _, ...rest } = Object.fromEntries(texts) as Record<string, string>;
  return { headers: rest, body };
}
