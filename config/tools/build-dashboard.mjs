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
/** `footfall:world` is the map, made here. */
const world = {
  name: 'world',
  setup(run) {
    run.onResolve({ filter: /^footfall:world$/ }, ({ path }) => ({ path, namespace: 'world' }));
    run.onLoad({ filter: /./, namespace: 'world' }, () => ({
      contents: mapModule(),
      loader: 'js',
    }));
  },
};

const { outputFiles, metafile } = await build({
  plugins: [world],
  entryPoints: { app: `${FROM}/app/main.tsx`, style: `${FROM}/app/style/style.css` },
  outdir: `${TO}/assets`,
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  tsconfig: 'config/tools/tsconfig.dashboard.json',
  write: false,
  metafile: true,
  logLevel: 'error',
});

const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
for (const { path, contents } of outputFiles) write(`${TO}/assets/${basename(path)}`, contents);

/** A file as it is, and compressed as well as it gets. */
function write(file, contents) {
  writeFileSync(file, contents);
  writeFileSync(`${file}.br`, brotliCompressSync(contents, { params: quality }));
  writeFileSync(`${file}.gz`, gzipSync(contents, { level: constants.Z_BEST_COMPRESSION }));
}

// For `/credits`, and for the test that nothing is left out of it.
writeFileSync(`${TO}/packages.json`, JSON.stringify(bundledPackages(metafile, ['world-atlas'])));
writeFileSync(`${TO}/metafile.json`, JSON.stringify(metafile));

const entries = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint);
// Parts that are loaded later are entries of their own, too.
const nameOf = (entry) => {
  const [path] = entries.find(([, { entryPoint }]) => entryPoint === `${FROM}/app/${entry}`);
  return `/assets/${basename(path)}`;
};
/** What the script imports at once: asked for with it, not after it. */
const [, { imports }] = entries.find(([, { entryPoint }]) => entryPoint === `${FROM}/app/main.tsx`);
const parts = imports
  .filter(({ kind }) => kind === 'import-statement')
  .map(({ path }) => `<link rel="modulepreload" href="/assets/${basename(path)}">\n`);
const page = readFileSync(`${FROM}/page.html`, 'utf8')
  .replace('{parts}', parts.join(''))
  .replace('{style}', nameOf('style/style.css'))
  .replace('{script}', nameOf('main.tsx'));
write(`${TO}/page.html`, page);
