/**
 * Builds the script that pages load, beside the compiled service: `src/script` in three forms, minified.
 *
 * The service serves them as they are, but for the settings of a domain, which it writes into the third.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { buildSync } from 'esbuild';
import { minify } from 'terser';

const FOLDER = 'dist/src/script';

/** Name of the file, and what it can do. */
const FORMS = [
  ['footfall.js', { EXTENDED: 'false', RECORD: 'false' }],
  ['footfall-extended.js', { EXTENDED: 'true', RECORD: 'false' }],
  ['record.js', { EXTENDED: 'false', RECORD: 'true' }],
];

function built(define) {
  const { outputFiles } = buildSync({
    entryPoints: ['src/script/footfall.ts'],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2019',
    define,
    // That of the service would make it strict, and every byte counts.
    tsconfigRaw: {},
    write: false,
    logLevel: 'error',
  });
  return inBlock(outputFiles[0].text.trim());
}

/** A block keeps names to itself as well as a function does, for some bytes less. */
function inBlock(text) {
  const inside = /^\(\(\)=>\{([\s\S]*?);?\}\)\(\);$/.exec(text)?.[1];
  // `var` and functions would be seen by the page.
  const scoped = inside?.replaceAll(/(^|;)var /g, '$1let ');
  if (scoped === undefined || /\b(var|function)\b/.test(scoped)) {
    throw new Error('the script is not what can stand in a block');
  }
  return `{${scoped}}`;
}

mkdirSync(FOLDER, { recursive: true });
for (const [name, define] of FORMS) {
  // Its names repeat better than esbuild's: 23 bytes of 1,024.
  const { code } = await minify(built(define), { ecma: 2019, compress: false });
  writeFileSync(`${FOLDER}/${name}`, code ?? '');
}
