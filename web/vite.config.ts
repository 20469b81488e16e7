import preact from "@preact/preset-vite";
import { readdirSync } from "node:fs";
import { defineConfig } from "vite";

const [engine] = readdirSync("public/engine");

// The page is part of the Python package: `enfilade serve` sends these files, and any other host may.
export default defineConfig({
  base: "./",
  define: { __ENGINE__: JSON.stringify(engine) },
  plugins: [preact()],
  build: { outDir: "../dsl/enfilade/server/page", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
  worker: { format: "es" },
  server: { proxy: { "/rpc": "http://127.0.0.1:8040", "/ws": { target: "ws://127.0.0.1:8040", ws: true } } },
});
