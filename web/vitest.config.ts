import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Unit tests, beside what they test. What a person sees is tested in a real browser, by tests/browser.
export default defineConfig({
  plugins: [svelte()],
  resolve: { conditions: ["browser"] }, // effects run in Svelte's client only
  test: {
    include: ["src/**/*.test.ts"],
    environment: "node",
    restoreMocks: true,
    unstubGlobals: true,
    expect: { requireAssertions: true },
  },
});
