/**
 * Builds what browsers load: the pages of `src/pages`, small, beside the compiled service.
 *
 * A page is one file: its script and style stand in it, and the service allows exactly these two by
 * their hashes. So it needs no second request, and no foreign host.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { buildSync } from 'esbuild';

const FOLDER = 'src/pages';

function built(entry) {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0].text.trim();
}

for (const name of readdirSync(FOLDER)) {
  const from = `${FOLDER}/${name}`;
  if (!existsSync(`${from}/page.html`)) continue;
  const page = readFileSync(`${from}/page.html`, 'utf8')
    .replace('/* page.css */', () => built(`${from}/page.css`))
    // What ends a script must not stand in one.
    .replace('/* page.js */', () => built(`${from}/page.ts`).replaceAll('</script', '<\\/script'));
  mkdirSync(`dist/${from}`, { recursive: true });
  writeFileSync(`dist/${from}/page.html`, page);
}
