/**
 * Builds what browsers load: scripts and styles of `src/reference`, small, beside the compiled service.
 *
 * The page is one file: its script and style stand in it, and the service allows exactly these two by
 * their hashes. So it needs no second request, and no foreign host.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { buildSync } from 'esbuild';

const FOLDER = 'src/reference';
const OUT = `dist/${FOLDER}`;

function built(entry) {
  const { outputFiles } = buildSync({
    entryPoints: [`${FOLDER}/${entry}`],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0].text.trim();
}

const page = readFileSync(`${FOLDER}/page.html`, 'utf8')
  .replace('/* page.css */', () => built('page.css'))
  // What ends a script must not stand in one.
  .replace('/* page.js */', () => built('page.ts').replaceAll('</script', '<\\/script'));
mkdirSync(OUT, { recursive: true });
writeFileSync(`${OUT}/page.html`, page);
