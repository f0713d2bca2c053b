/**
 * Opens peers by name, one after the other: `openPeers({ memory: openLangGraphMemory })` gives
 * `{ peers: { memory }, close }`. If one cannot be opened, those before it are closed again.
 */
export async function openPeers(openers) {
  const peers = {};
  async function close() {
    for (const peer of Object.values(peers).reverse()) await peer.close();
  }
  try {
    for (const [name, open] of Object.entries(openers)) peers[name] = await open();
  } catch (error) {
    await close();
    throw error;
  }
  return { peers, close };
}
