export { callbackPolicy } from "../../hub/delivery/callbacks.js";
export { rotateSecret, signingSecret } from "../../hub/delivery/http/signing.js";
export { type Delivery, listDeliveries, retryDelivery } from "../../hub/delivery/outbox/entry.js";
export type { Webhook } from "../../hub/delivery/webhooks.js";
export { type Deliveries, type DeliveryOptions, type PeopleOptions, startDelivery } from "./delivery.js";
export { notificationSettings } from "./settings.js";
