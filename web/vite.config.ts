import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const server = process.env.POLEMOS_SERVER ?? "http://127.0.0.1:8080";

// The pages, built into the Python package. While developing, questions go on to a server that runs.
export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/polemos/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { "/api": { target: server, ws: true } } },
});
