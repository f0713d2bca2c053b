// The notifications of this browser, in an inbox: the bell in the bar, and the settings in the view of devices.

import { PRIVACY_CHOICES } from "../../../core/model/notifications.js";
import type { NotifyWords } from "../../../core/words/notify.js";
import { html, type Part } from "../html.js";
import type { InboxNotifications, NotifySettings } from "../types.js";

const USUAL_HOURS = { from: "22:00", to: "07:00" };

export interface NotifyScene {
  readonly words: NotifyWords;
  readonly language: string;
  /** Runs what a person asked for, and shows why it failed. */
  readonly attempt: (work: () => Promise<void>) => Promise<void>;
  readonly openSettings: () => void;
}

export interface NotifyPanel {
  /** Reads the settings again. */
  refresh(): Promise<void>;
  bell(scene: NotifyScene): Part;
  settings(scene: NotifyScene): Part;
}

export function createNotify(port: () => InboxNotifications | undefined, update: () => void): NotifyPanel {
  let settings: NotifySettings | undefined;
  let isBusy = false;

  const refresh = async (): Promise<void> => {
    settings = await port()?.read();
    update();
  };

  const change = ({ attempt }: NotifyScene, work: (notifications: InboxNotifications) => Promise<void>) =>
    attempt(async () => {
      const notifications = port();
      if (notifications === undefined || isBusy) return;
      isBusy = true;
      update();
      try {
        await work(notifications);
      } finally {
        isBusy = false;
        await refresh();
      }
    });

  const turnOn = (scene: NotifyScene): Promise<void> =>
    change(scene, (notifications) =>
      notifications.turnOn({ privacy: settings?.privacy ?? "everything", language: scene.language }),
    );

  function statePart({ state }: NotifySettings, scene: NotifyScene): Part {
    const { words } = scene;
    const isOn = state === "on";
    if (!isOn && state !== "off") return html`<p class="soft">${words.hints[state]}</p>`;
    return html`<div class="switch"><p>${isOn ? words.isOn : words.isOff}</p>
      <button type="button" class="plain" ?disabled=${isBusy} @click=${() =>
        void (
          isOn ? change(scene, (notifications) => notifications.turnOff()) : turnOn(scene)
        )}>${isOn ? words.turnOff : words.turnOn}</button></div>`;
  }

  function privacyPart({ privacy }: NotifySettings, scene: NotifyScene): Part {
    const { words } = scene;
    return html`<fieldset ?disabled=${isBusy}><legend>${words.shows}</legend>${PRIVACY_CHOICES.map(
      (choice) =>
        html`<label class="choice"><input type="radio" name="privacy" value=${choice} .checked=${choice === privacy} @change=${() =>
          void change(scene, (notifications) =>
            notifications.choose(choice),
          )}><span>${words.privacy[choice]}<span class="soft">${words.privacyHints[choice]}</span></span></label>`,
    )}</fieldset>`;
  }

  function quietPart({ quietHours }: NotifySettings, scene: NotifyScene): Part {
    const { words } = scene;
    const set = (hours: NotifySettings["quietHours"]): void =>
      void change(scene, (notifications) => notifications.setQuietHours(hours));
    const field = (name: "from" | "to"): Part =>
      html`<label>${words[name]} <input type="time" required .value=${quietHours?.[name] ?? ""} @change=${(
        event: Event,
      ) => {
        const { value } = event.target as HTMLInputElement;
        if (value !== "" && quietHours !== undefined) set({ ...quietHours, [name]: value });
      }}></label>`;
    return html`<fieldset ?disabled=${isBusy}><legend class="unseen">${words.quiet}</legend>
      <label class="choice"><input type="checkbox" .checked=${quietHours !== undefined} @change=${(
        event: Event,
      ) =>
        set(
          (event.target as HTMLInputElement).checked ? USUAL_HOURS : undefined,
        )}><span>${words.quiet}<span class="soft">${words.quietHint}</span></span></label>
      ${quietHours !== undefined && html`<div class="hours">${field("from")}${field("to")}</div>`}</fieldset>`;
  }

  return {
    refresh,
    bell(scene) {
      // A bell that cannot ring is only explained in the settings.
      if (settings === undefined || (settings.state !== "on" && settings.state !== "off")) return false;
      const isOn = settings.state === "on";
      const label = isOn ? scene.words.bellOn : scene.words.bellOff;
      return html`<button type="button" class="icon" aria-pressed=${isOn ? "true" : "false"} title=${label} aria-label=${label} ?disabled=${isBusy} @click=${() =>
        isOn ? scene.openSettings() : void turnOn(scene)}>${bellPart(isOn)}</button>`;
    },
    settings(scene) {
      if (settings === undefined) return false;
      return html`<section class="notify" aria-labelledby="notify-title"><h2 id="notify-title" tabindex="-1">${scene.words.title}</h2>
        <div class="panel">${statePart(settings, scene)}${settings.state === "on" && privacyPart(settings, scene)}${quietPart(settings, scene)}</div></section>`;
    },
  };
}

const BELL = "M6.500 16.500V11a5.500 5.500 0 0 1 11 0v5.500l1.500 1.500H5l1.500-1.500ZM10.500 20.500h3";

function bellPart(isOn: boolean): Part {
  return html`<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d=${isOn ? BELL : `${BELL}M4 4l16 16`}></path></svg>`;
}
