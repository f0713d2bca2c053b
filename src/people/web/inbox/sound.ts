// A short sound for a new question, made here: the page loads nothing for it. Off until a person turns it on.

const KEY = "askline.sound";

export interface Sound {
  readonly isOn: boolean;
  toggle(): void;
  play(): void;
}

export function createSound(): Sound {
  let audio: AudioContext | undefined;
  let isOn = stored() === "on";
  const play = (): void => {
    if (!isOn) return;
    audio ??= new AudioContext();
    void audio.resume();
    const { currentTime: start, destination } = audio;
    for (const [index, frequency] of [660, 880].entries()) {
      const [tone, volume] = [audio.createOscillator(), audio.createGain()];
      const at = start + index * 0.12;
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(0.08, at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.25);
      tone.connect(volume).connect(destination);
      tone.start(at);
      tone.stop(at + 0.3);
    }
  };
  return {
    get isOn() {
      return isOn;
    },
    toggle() {
      isOn = !isOn;
      store(isOn ? "on" : "off");
      play();
    },
    play,
  };
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function store(value: string): void {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // A page without storage forgets it.
  }
}
