import { readdirSync, readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const tests = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".test.ts"))
  .map((path) => `src/${path.replaceAll("\\", "/")}`);
// Whoever puts something in the place of a module has its modules to itself. All others share theirs, which takes a quarter of the time.
const replacing = tests.filter((path) => /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(path, "utf8")));

// Unit tests, beside what they test. What a person sees is tested in a real browser, by tests/browser.
export default defineConfig({
  plugins: [svelte()],
  resolve: { conditions: ["browser"] }, // effects run in Svelte's client only
  test: {
    pool: "threads",
    restoreMocks: true,
    unstubGlobals: true,
    expect: { requireAssertions: true },
    projects: [
      { extends: true, test: { name: "shared", include: tests, exclude: replacing, isolate: false } },
      { extends: true, test: { name: "alone", include: replacing, isolate: true } },
    ],
  },
});
