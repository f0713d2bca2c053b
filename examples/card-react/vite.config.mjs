import react from "@vitejs/plugin-react";

// biome-ignore lint/style/noDefaultExport: Vite wants one.
export default { root: import.meta.dirname, plugins: [react()] };
