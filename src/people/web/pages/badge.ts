// How many questions wait, on the icon of the page and of the installed app.

const SIZE = 64;

export async function showCount(count: number): Promise<void> {
  const badge = navigator as { setAppBadge?(count: number): Promise<void>; clearAppBadge?(): Promise<void> };
  void (count === 0 ? badge.clearAppBadge?.() : badge.setAppBadge?.(count))?.catch(() => undefined);
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (link === null) return;
  link.dataset.own ??= link.href;
  if (count === 0) {
    link.href = link.dataset.own;
    return;
  }
  const image = new Image(SIZE, SIZE);
  image.src = link.dataset.own;
  try {
    await image.decode();
  } catch {
    return;
  }
  const canvas = document.createElement("canvas");
  canvas.width = SIZE;
  canvas.height = SIZE;
  const paint = canvas.getContext("2d");
  if (paint === null) return;
  paint.drawImage(image, 0, 0, SIZE, SIZE);
  paint.fillStyle = "#c4281e";
  paint.beginPath();
  paint.arc(SIZE - 20, 20, 20, 0, 2 * Math.PI);
  paint.fill();
  paint.fillStyle = "#fff";
  paint.font = `700 ${count > 9 ? 24 : 30}px system-ui, sans-serif`;
  paint.textAlign = "center";
  paint.textBaseline = "middle";
  paint.fillText(count > 99 ? "99" : String(count), SIZE - 20, 22);
  link.href = canvas.toDataURL("image/png");
}
