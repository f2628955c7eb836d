/**
 * Few files in place of many: what every page runs is one file, and what the page of a site runs beside
 * it another one (D-3).
 *
 * esbuild puts modules together that the same entries reach, and each part that is loaded later is an
 * entry: a page of settings that needs one function of a site makes a file of it, and a first view is
 * three dozen. So every part is told to reach all that is there before it is loaded, which costs
 * nothing: it is there. What the site shares with any other part is of every page.
 */
import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';

const THERE = 'gathered:there';

/**
 * A plugin of esbuild.
 *
 * @param inputs of a metafile of the same build without it: path → what it imports.
 * @param main the entry. @param site the part that has one file of its own.
 */
export function gathering(inputs, { main, site }) {
  const importsOf = (path, kind) =>
    inputs[path].imports.filter((one) => one.kind === kind).map((one) => one.path);
  /** All that comes with a module. */
  const comingWith = (start) => {
    const found = new Set();
    const waiting = [start];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (found.has(path) || inputs[path] === undefined) continue;
      found.add(path);
      waiting.push(...importsOf(path, 'import-statement'));
    }
    return found;
  };
  const parts = new Set(Object.keys(inputs).flatMap((path) => importsOf(path, 'dynamic-import')));
  const there = comingWith(main);
  const ofSite = comingWith(site);
  for (const part of parts) {
    if (part === site) continue;
    for (const path of comingWith(part)) if (ofSite.has(path)) there.add(path);
  }
  // Texts of a language need nothing: the file that waits for them would wait for itself.
  const needing = [...parts].filter((part) => [...comingWith(part)].some((one) => there.has(one)));

  return {
    name: 'gathering',
    setup(build) {
      build.onResolve({ filter: /^gathered:/ }, ({ path }) => ({ path, namespace: 'gathered' }));
      build.onLoad({ filter: /./, namespace: 'gathered' }, () => ({
        contents: [...there].filter(isFile).map(importOf).join('\n'),
        resolveDir: resolve('.'),
      }));
      for (const path of [main, ...needing]) {
        build.onLoad({ filter: patternOf(resolve(path)) }, ({ path: file }) => ({
          // Behind its own imports, which come in the order that it wants.
          contents: `${readFileSync(file, 'utf8')}\nimport '${THERE}';\n`,
          loader: extname(file).slice(1),
        }));
      }
    },
  };
}

/** What a plugin makes is no file; whoever needs it imports it. */
function isFile(path) {
  return !path.includes(':');
}

function importOf(path) {
  return `import ${JSON.stringify(resolve(path))};`;
}

function patternOf(path) {
  return new RegExp(`^${path.replace(/[.\\+*?^$[\](){}|]/g, '\\$&')}$`);
}
