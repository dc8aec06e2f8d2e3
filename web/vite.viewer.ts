import { readdirSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** Puts scripts and styles into the page itself, so that it needs no server and asks for nothing. */
function inline(): Plugin {
  return {
    name: "inline",
    generateBundle: {
      order: "post", // after Vite has finished the chunks
      handler(_, bundle) {
        let script = "";
        let style = "";
        for (const [name, file] of Object.entries(bundle)) {
          if (file.type === "chunk") script += file.code;
          else if (name.endsWith(".css")) style += file.source;
          else continue;
          delete bundle[name];
        }
        const page = bundle["viewer.html"];
        if (page?.type !== "asset") throw new Error("viewer.html was not built");
        const html = String(page.source)
          .replace(/\s*<script type="module"[^>]*><\/script>/, "")
          .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
          .replace(/\s*<link rel="modulepreload"[^>]*>/g, "");
        // Functions, since $ has a meaning in a replacement.
        const boards = readdirSync("src/games", { withFileTypes: true }).filter((one) => one.isDirectory() && one.name !== "plain");
        page.source = html
          .replace("</head>", `<meta name="polemos-boards" content="${boards.map((one) => one.name).join(",")}" />\n</head>`)
          .replace("</head>", () => `<style>${style}</style>\n</head>`)
          .replace("</body>", () => `<script type="module">${script.replaceAll("</script", "<\\/script")}</script>\n</body>`);
      },
    },
  };
}

// The viewer as one page. `polemos replay --html` writes a record where the comment stands.
export default defineConfig({
  plugins: [svelte(), inline()],
  build: {
    outDir: "../src/polemos/server/static",
    emptyOutDir: false,
    target: "es2022",
    cssCodeSplit: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { input: "viewer.html", output: { codeSplitting: false } },
  },
});
