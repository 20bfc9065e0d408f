import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// Relative addresses, so that the page works from any folder of any web server.
export default defineConfig({
  base: "./",
  plugins: [svelte()],
  server: { fs: { allow: [".."] } },
  worker: { format: "es" },
  build: { outDir: "../build/web", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
});
