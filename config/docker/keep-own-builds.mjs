/**
 * Removes from `node_modules` the builds of the HTTP engine for other systems, processors and versions of
 * Node: 230 MB of 250. Run in the image that is built, by the Node that will run there.
 *
 *   node keep-own-builds.mjs [NODE_MODULES]
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['uWebSockets.js', 'uws-pack/dist/bin'];
const { platform, arch, versions } = process;
const own = `uws_${platform}_${arch}_${versions.modules}.node`;
const from = process.argv[2] ?? 'node_modules';

for (const folder of FOLDERS) {
  for (const name of readdirSync(join(from, folder)))
    if (name.endsWith('.node') && name !== own) rmSync(join(from, folder, name));
}
