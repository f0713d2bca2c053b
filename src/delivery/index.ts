export { type CallbackOptions, callbackPolicy } from "./channels/callbacks.js";
export type { Webhook } from "./channels/webhooks.js";
export { type Deliveries, type DeliveryOptions, startDelivery } from "./delivery.js";
export { isSigningSecret, rotateSecret, type SecretOwner, signingSecret } from "./http/signing.js";
export { type Delivery, listDeliveries, retryDelivery } from "./outbox/entry.js";
export { CHANNEL_KINDS, type ChannelKind, type DeliveryResult } from "./outbox/lane.js";
