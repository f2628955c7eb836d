/**
 * Whose work a bundle has in it: the packages that esbuild read files of, with their licences and the
 * texts that have to go with copies of them. `/credits` says it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of a file that esbuild read: the folder and the name of its package. */
const FOLDER = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/;
const TEXT = /^(licen[cs]e|copying)(\.(md|txt))?$/i;

/**
 * In the order of their names.
 *
 * @param metafile of esbuild.
 * @param made packages that files made at build come from, which esbuild does not see.
 * @throws when one does not say under which licence it is.
 */
export function bundledPackages(metafile, made) {
  const folders = Object.keys(metafile.inputs).map((path) => FOLDER.exec(path)?.[0]);
  const read = [...made.map((name) => `node_modules/${name}`), ...folders];
  const packages = [...new Set(read.filter((folder) => folder !== undefined))].map(packageIn);
  return packages.sort((left, right) => (left.name < right.name ? -1 : 1));
}

function packageIn(folder) {
  const { name, version, license, homepage, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const file = existsSync(folder) ? readdirSync(folder).find((one) => TEXT.test(one)) : undefined;
  if (typeof license !== 'string' || file === undefined)
    throw new TypeError(`${name} does not say under which licence it is`);
  const url = homepage || repository.url.replace(/^git\+|\.git$/g, '');
  return { name, version, licence: license, url, text: readFileSync(join(folder, file), 'utf8') };
}
