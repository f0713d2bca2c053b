// Prints the sizes of the card, gzipped, and fails if one is over its bound.
import { bundleWeb, MOST_BYTES } from "./bundle-web.mjs";

const { sizes } = await bundleWeb();
for (const [name, most] of Object.entries(MOST_BYTES)) {
  const size = sizes[name];
  const verdict = size < most ? "ok" : "TOO LARGE";
  console.log(`card, ${name}: ${(size / 1000).toFixed(1)} KB gzipped, under ${most / 1000} KB: ${verdict}`);
  if (size >= most) process.exitCode = 1;
}
