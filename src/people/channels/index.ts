export type { NotificationPreferences, PushDevice, QuietHours } from "../../core/model/notifications.js";
export { type CallbackOptions, callbackPolicy } from "../../hub/delivery/callbacks.js";
export {
  isSigningSecret,
  rotateSecret,
  type SecretOwner,
  signingSecret,
} from "../../hub/delivery/http/signing.js";
export { type Delivery, listDeliveries, retryDelivery } from "../../hub/delivery/outbox/entry.js";
export { CHANNEL_KINDS, type ChannelKind, type DeliveryResult } from "../../hub/delivery/outbox/lane.js";
export type { Webhook } from "../../hub/delivery/webhooks.js";
export { type Deliveries, type DeliveryOptions, type PeopleOptions, startDelivery } from "./delivery.js";
export type { NotificationAction, NotificationLinks } from "./notify/context.js";
export type { PushOptions } from "./push/push.js";
export { type NotificationSettings, notificationSettings } from "./settings.js";
