// Builds the page into src/snellen/report/page and notes which sources it was built from.
// The manifest lets a test see, without node, that what is committed was built from what is committed.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const here = new URL("./", import.meta.url);
const out = new URL("../src/snellen/report/page/", here);

await build({
  entryPoints: [{ in: new URL("src/main.tsx", here).pathname, out: "report" }],
  outdir: out.pathname,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome123", "firefox120", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
});

const sha = (data) => createHash("sha256").update(data).digest("hex");
const read = (url) => readFileSync(url, "utf8").replaceAll("\r\n", "\n");
const sources = ["build.mjs", "package.json", "package-lock.json", "tsconfig.json"];
for (const name of readdirSync(new URL("src/", here), { recursive: true })) {
  if (/\.(tsx?|css)$/.test(name)) sources.push(`src/${name.replaceAll("\\", "/")}`);
}
const manifest = { sources: {}, built: {} };
for (const name of sources.sort()) manifest.sources[name] = sha(read(new URL(name, here)));
for (const name of ["report.css", "report.js"]) {
  const text = read(new URL(name, out));
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${name} would end its own element`);
  manifest.built[name] = sha(text);
}
writeFileSync(new URL("manifest.json", out), JSON.stringify(manifest, null, 2) + "\n");
