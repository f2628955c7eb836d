/**
 * Builds the dashboard: one script and one style at first, parts that are loaded when needed, each
 * named by its content and compressed in advance (D-2).
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { mapModule } from './build-map.mjs';
import { bundledPackages } from './bundled-packages.mjs';
import { gathering } from './gather-chunks.mjs';

const FROM = 'src/dashboard';
const TO = 'dist/dashboard';
/** What every page runs, and what the page of a site does. */
const MAIN = `${FROM}/app/main.tsx`;
const SITE = `${FROM}/app/site/site-page.tsx`;
const SIGN_IN = `${FROM}/app/account/sign-in.tsx`;
const SITES = `${FROM}/app/sites/sites-page.tsx`;

rmSync(TO, { recursive: true, force: true });
mkdirSync(`${TO}/assets`, { recursive: true });
/** What every bundle has in common. */
const shared = {
  outdir: `${TO}/assets`,
  entryNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  target: 'es2022',
  write: false,
  metafile: true,
  logLevel: 'error',
};
const styles = await build({
  ...shared,
  entryPoints: { style: `${FROM}/app/style/style.css`, later: `${FROM}/app/style/later.css` },
});

/** Modules that are made here: the map, and the address of the style that is loaded later. */
const MADE = {
  'footfall:world': mapModule,
  'footfall:later-style': () => `export const address = '${assetOf(styles, 'style/later.css')}';`,
};
const made = {
  name: 'made',
  setup(run) {
    run.onResolve({ filter: /^footfall:/ }, ({ path }) => ({ path, namespace: 'made' }));
    run.onLoad({ filter: /./, namespace: 'made' }, ({ path }) => ({ contents: MADE[path]() }));
  },
};

/** The same for the look at what imports what and for the build itself. */
const script = {
  ...shared,
  entryPoints: { app: MAIN },
  chunkNames: 'part-[hash]',
  splitting: true,
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  tsconfig: 'config/tools/tsconfig.dashboard.json',
};
const { metafile: looked } = await build({ ...script, plugins: [made] });
const gathered = gathering(looked.inputs, { main: MAIN, site: SITE });
const scripts = await build({ ...script, plugins: [made, gathered] });
const { metafile } = scripts;

const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
const needless = outputOf(scripts, MAIN);
for (const { path, contents } of [...styles.outputFiles, ...scripts.outputFiles])
  if (basename(path) !== basename(needless)) write(`${TO}/assets/${basename(path)}`, contents);

/** A file as it is, and compressed as well as it gets. */
function write(file, contents) {
  writeFileSync(file, contents);
  writeFileSync(`${file}.br`, brotliCompressSync(contents, { params: quality }));
  writeFileSync(`${file}.gz`, gzipSync(contents, { level: constants.Z_BEST_COMPRESSION }));
}

// For `/credits`, and for the test that nothing is left out of it.
writeFileSync(`${TO}/packages.json`, JSON.stringify(bundledPackages(metafile, ['world-atlas'])));
writeFileSync(`${TO}/metafile.json`, JSON.stringify(metafile));

// Where nobody is signed in, the site at an address, the list of sites.
writePage('page.html', preloads(SIGN_IN));
writePage('site.html', preloads(SITE));
writePage('sites.html', [...preloads(SITES), preload('style', assetOf(styles, 'style/later.css'))]);

/** The address of what became of a style. */
function assetOf(built, entry) {
  return `/assets/${basename(outputOf(built, `${FROM}/app/${entry}`))}`;
}

/** What became of an entry; parts that are loaded later are entries, too. */
function outputOf({ metafile: { outputs } }, entry) {
  return Object.keys(outputs).find((path) => outputs[path].entryPoint === entry);
}

/** The file of every page; what became of its entry only imports it. */
function mainOutput() {
  return Object.keys(metafile.outputs).find((path) => MAIN in metafile.outputs[path].inputs);
}

/** What a part imports at once, and what that imports, but what every page loads. */
function preloads(part) {
  const found = new Set([mainOutput()]);
  const waiting = [outputOf(scripts, part)];
  const links = [];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    links.push(`<link rel="modulepreload" href="/assets/${basename(path)}">\n`);
    for (const { kind, path: next } of metafile.outputs[path].imports)
      if (kind === 'import-statement') waiting.push(next);
  }
  return links;
}

function preload(kind, address) {
  return `<link rel="preload" as="${kind}" href="${address}">\n`;
}

/** The page, with which the parts are asked for that it needs first. */
function writePage(name, links) {
  const page = readFileSync(`${FROM}/page.html`, 'utf8')
    .replace('{parts}', links.join(''))
    .replace('{style}', assetOf(styles, 'style/style.css'))
    .replace('{script}', `/assets/${basename(mainOutput())}`);
  write(`${TO}/${name}`, page);
}
