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

const FROM = 'src/dashboard';
const TO = 'dist/dashboard';

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

const scripts = await build({
  ...shared,
  plugins: [made],
  entryPoints: { app: `${FROM}/app/main.tsx` },
  chunkNames: 'part-[hash]',
  splitting: true,
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  tsconfig: 'config/tools/tsconfig.dashboard.json',
});
const { metafile } = scripts;

const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
for (const { path, contents } of [...styles.outputFiles, ...scripts.outputFiles])
  write(`${TO}/assets/${basename(path)}`, contents);

/** A file as it is, and compressed as well as it gets. */
function write(file, contents) {
  writeFileSync(file, contents);
  writeFileSync(`${file}.br`, brotliCompressSync(contents, { params: quality }));
  writeFileSync(`${file}.gz`, gzipSync(contents, { level: constants.Z_BEST_COMPRESSION }));
}

// For `/credits`, and for the test that nothing is left out of it.
writeFileSync(`${TO}/packages.json`, JSON.stringify(bundledPackages(metafile, ['world-atlas'])));
writeFileSync(`${TO}/metafile.json`, JSON.stringify(metafile));

writePage('page.html', '');
writePage('site.html', 'site/site-page.tsx');

/** The address of what became of an entry; parts that are loaded later are entries, too. */
function assetOf({ metafile }, entry) {
  const [path] = outputOf(metafile, entry);
  return `/assets/${basename(path)}`;
}

function outputOf({ outputs }, entry) {
  const name = `${FROM}/app/${entry}`;
  return Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === name);
}

/** What an entry imports at once, and what that imports. */
function importsOf(entry) {
  const found = new Set();
  const waiting = [outputOf(metafile, entry)[0]];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    for (const { kind, path: next } of metafile.outputs[path].imports)
      if (kind === 'import-statement') waiting.push(next);
  }
  return [...found];
}

/** The page, with which the parts are asked for that it needs first. @param part its entry; '': none. */
function writePage(name, part) {
  const [script, ...parts] = new Set([
    ...importsOf('main.tsx'),
    ...(part === '' ? [] : importsOf(part)),
  ]);
  const links = parts.map(
    (path) => `<link rel="modulepreload" href="/assets/${basename(path)}">\n`,
  );
  const page = readFileSync(`${FROM}/page.html`, 'utf8')
    .replace('{parts}', links.join(''))
    .replace('{style}', assetOf(styles, 'style/style.css'))
    .replace('{script}', `/assets/${basename(script)}`);
  write(`${TO}/${name}`, page);
}
