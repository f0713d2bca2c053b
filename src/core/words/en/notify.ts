import type { NotifyWords } from "../notify.js";

export const NOTIFY: NotifyWords = {
  title: "Notifications",
  bellOn: "Notifications on this device: on. Open their settings",
  bellOff: "Notify me on this device",
  isOn: "This device is notified of new questions.",
  isOff: "This device is not notified.",
  turnOn: "Turn on",
  turnOff: "Turn off",
  hints: {
    denied:
      "This browser blocks notifications here. Allow them in the settings of the site, then load the page again.",
    unsupported:
      "This browser cannot be notified here. On an iPhone or iPad, add this page to the home screen and open it there; elsewhere, the address must begin with https.",
    "not-sent": "This server sends no push. Its operator can start it with --push-contact.",
  },
  shows: "What a notification shows",
  privacy: { everything: "Everything", title: "Title only", minimal: "A question waits" },
  privacyHints: {
    everything: "The question, and buttons to answer a short one",
    title: "Who asks, or what it is about",
    minimal: "Nothing about the question",
  },
  quiet: "Quiet hours",
  quietHint: "On all your devices. Notifications are held and sent when quiet hours end.",
  from: "From",
  to: "To",
};
