import { createECDH, createPublicKey, randomBytes, verify } from "node:crypto";
// @ts-expect-error It has no types.
import ece from "http_ece";
import { openReceiver, type Receiver, withStatus } from "../../hub/delivery/receiver.ts";

export interface PushService extends Receiver {
  /** What a browser's `subscription.toJSON()` returns, for a new device. */
  subscribe(): {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  /** The messages, decrypted, with what their VAPID token says. Throws if a signature is wrong. */
  messages(): readonly PushMessage[];
}

export interface PushMessage {
  readonly path: string;
  readonly payload: {
    readonly web_push: number;
    readonly notification: {
      readonly title: string;
      readonly body: string;
      readonly navigate: string;
      readonly tag: string;
      readonly actions?: readonly { readonly title: string; readonly url: string }[];
      readonly data: { readonly askId: string; readonly settled: boolean };
    };
  };
  readonly claims: { readonly aud: string; readonly sub: string; readonly exp: number };
  readonly publicKey: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A push service on this machine that reads what a browser would. */
export async function openPushService(): Promise<PushService> {
  const devices = new Map<string, { readonly ecdh: ReturnType<typeof createECDH>; readonly auth: Buffer }>();
  const receiver = await openReceiver(withStatus(201));
  return Object.assign(receiver, {
    subscribe() {
      const ecdh = createECDH("prime256v1");
      ecdh.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${devices.size + 1}`;
      devices.set(path, { ecdh, auth });
      return {
        endpoint: `${receiver.url}${path}`,
        keys: { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") },
      };
    },
    messages: () =>
      receiver.received.map((request): PushMessage => {
        const device = devices.get(request.path);
        if (device === undefined) throw new Error(`nobody subscribed at ${request.path}`);
        const plain: Buffer = ece.decrypt(request.raw, {
          version: "aes128gcm",
          privateKey: device.ecdh,
          authSecret: device.auth.toString("base64url"),
        });
        return {
          path: request.path,
          payload: JSON.parse(plain.toString()) as PushMessage["payload"],
          ...readVapid(request.headers.authorization ?? ""),
          headers: request.headers,
        };
      }),
  });
}

function readVapid(header: string): Pick<PushMessage, "claims" | "publicKey"> {
  const [, token = "", publicKey = ""] = /^vapid t=([^,]+), ?k=([\w-]+)$/.exec(header) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const key = createPublicKey({
    format: "jwk",
    key: {
      ...{ kty: "EC", crv: "P-256" },
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  });
  const valid = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!valid) throw new Error("the VAPID signature is wrong");
  return { claims: JSON.parse(Buffer.from(claims, "base64url").toString()), publicKey };
}
