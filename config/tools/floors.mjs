/**
 * The floors and walls of the source tree, from one ordered array each, checked by dependency-cruiser.
 *
 * A file imports its own folder and any lower floor; never a neighbour on its floor, never upwards.
 * Type imports count. The check fails when it saw no module: with an unsupported compiler
 * dependency-cruiser cruises nothing and calls that clean.
 */
import { readdirSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';

/** Lowest first; folders in one row are neighbours and may not import each other. */
const FLOORS = [
  // What runs in browsers, and the client: they know the service by its interface only.
  ['pages', 'script', 'client'],
  // Runs in browsers too; what it is told and asks are the types of the client.
  ['dashboard'],
  ['base'],
  ['model'],
  // Above model, not beside it: what settings refuse is a row of model/errors.
  ['settings'],
  ['store'],
  ['segment', 'bus'],
  ['query', 'ingest', 'exports'],
  ['shard', 'control'],
  // What reads and writes the files of others; exports are imported again by their files alone.
  ['delivery', 'imports'],
  ['api', 'jobs'],
  ['edge'],
  ['runtime'],
  ['demo'],
  // The load program sends what the demo's simulator knows of browsers.
  ['load'],
  ['cli'],
  ['main.ts'],
];

/** The floors inside of rooms: folders and single files, lowest first, under the same rules. */
const ROOMS = {
  bus: [['record', 'request-reply.ts'], ['log'], ['local'], ['spool'], ['nats'], ['drivers.ts']],
  segment: [['memory'], ['rollup', 'disk'], ['open']],
  ingest: [
    ['data', 'text.ts', 'raw-hit.ts', 'address-filter.ts'],
    ['place', 'visitor', 'page', 'tags-and-metadata.ts'],
    ['agent', 'source'],
    ['step.ts'],
    ['bot-filter.ts'],
    ['pipeline.ts'],
  ],
  query: [
    ['text'],
    ['question'],
    ['plan'],
    ['select', 'cache'],
    ['group', 'imported'],
    ['count'],
    ['rollup', 'list'],
    ['live'],
    ['answers'],
  ],
  delivery: [['http', 'mail'], ['webhooks']],
  load: [
    ['hits'],
    ['send'],
    ['products'],
    ['wish.ts', 'footfall-site.ts', 'limit-search.ts'],
    ['prepared.ts', 'probe.ts', 'load-report.ts'],
    ['run.ts', 'report'],
  ],
  imports: [
    ['adapter.ts'],
    ['source', 'uploads.ts'],
    ['products', 'keywords.ts'],
    ['adapters.ts'],
    ['job'],
  ],
  'delivery/mail': [
    ['plain.ts'],
    ['words'],
    ['letter'],
    ['letters'],
    ['message.ts'],
    ['smtp-sender.ts'],
    ['mail-door.ts'],
  ],
  'query/answers': [
    ['totals', 'pages', 'dimensions', 'events', 'sessions', 'keywords.ts'],
    ['conversions'],
    ['statistics.ts'],
    ['run.ts'],
  ],
  shard: [
    ['rollup', 'active', 'usage', 'live', 'outbox', 'imports'],
    ['state'],
    ['save', 'snapshot'],
    ['actor'],
  ],
  edge: [
    ['http', 'body'],
    ['rate', 'event-streams.ts', 'listener.ts', 'request-traces.ts'],
    [
      ...['route.ts', 'authorize.ts', 'visitor.ts'],
      ...['request-metrics.ts', 'metrics-endpoint.ts'],
    ],
    ['fault-log.ts', 'parse-body.ts', 'admission.ts', 'stream-reply.ts'],
    ['exchange.ts'],
    ['router.ts'],
    ['server.ts'],
  ],
  runtime: [
    ['link', 'directory', 'telemetry', 'live', 'port-check.ts'],
    ['query', 'node-registry.ts', 'places', 'doctor', 'visitor-keys'],
    ['exports'],
    ['threads'],
    ['node-log.ts', 'node-edges.ts'],
    ['cluster'],
    ['node.ts', 'backup'],
  ],
};

/** A package, and the only place that may import it. */
const WALLS = [
  ['uWebSockets.js', '^(src|test)/edge/|^bench/'],
  ['uws-pack', '^src/edge/http/http-engine\\.ts$'],
  ['nats', '^(src|test)/bus/'],
  ['lmdb', '^src/store/'],
  ['fs-native-extensions', '^src/base/file-locks\\.ts$'],
  ['tar-stream', '^src/runtime/backup/archive\\.ts$'],
  ['piscina', '^src/runtime/query/scan-pool\\.ts$'],
  [
    'ajv',
    '^src/base/validate\\.ts$|^test/(support/clients/answer-check|api/openapi\\.test|contract/docker\\.test)\\.ts$',
  ],
  ['luxon', '^src/base/zone\\.ts$|^test/'],
  ['re2js', '^src/query/question/path-pattern\\.ts$'],
  ['msgpackr', '^src/(store|segment|shard)/|^bench/'],
  ['pino', '^src/base/log\\.ts$'],
  ['@node-rs/argon2', '^src/control/people/passwords\\.ts$'],
  ['@zxcvbn-ts/language-common', '^src/control/people/guessed-passwords\\.ts$|^test/'],
  ['maxmind', '^(test|bench)/'],
  ['papaparse', '^src/imports/|^(test|bench)/'],
  ['hyparquet', '^src/imports/|^test/'],
  ['yauzl', '^src/imports/source/'],
  ['@streamparser/json', '^src/imports/source/json\\.ts$'],
  ['nodemailer', '^src/delivery/mail/'],
  ['smtp-server', '^test/support/mail-server\\.ts$'],
  ['hdr-histogram-js', '^src/load/send/latencies\\.ts$'],
  ['benchmark', '^bench/harness/'],

  ['playwright-core', '^test/support/(browser|tagged-site)\\.ts$|^test/(end-to-end|showcase)/'],
  ['pirsch-sdk', '^test/end-to-end/'],
];

/** Outside of src: what each root folder may never import. */
const ROOTS = [
  ['^src/', '^(workers|bench|test|config)/', 'src-stands-alone'],
  ['^workers/', '^src/(cli/|main\\.ts$)|^(bench|test)/', 'workers-import-runtime-and-below'],
  ['^bench/', '^(test|workers)/', 'bench-imports-src-only'],
  // The tests' model judges what the torture finds; of the service itself it knows the table of statistics.
  [
    '^test/torture/(?!.*\\.test\\.ts$)',
    '^(workers|bench|config)/|^src/(?!query/answers/statistics\\.ts$)',
    'torture-looks-from-outside',
  ],
];

const escaped = (text) => text.replaceAll('.', '\\.');
const place = (folder) => `^src/${escaped(folder)}${folder.endsWith('.ts') ? '$' : '/'}`;

/** One rule a folder or file: it imports nothing of its own floor's neighbours nor of higher floors. */
function floorRules(floors, room) {
  return floors
    .flatMap((neighbours, floor) =>
      neighbours.map((name) => {
        const above = floors.slice(floor).flat();
        const forbidden = above.filter((other) => other !== name);
        return {
          name: `floor-${floor}-${room}${name}-imports-downwards`,
          severity: 'error',
          from: { path: place(room + name) },
          to: { path: forbidden.map((other) => place(room + other)) },
        };
      }),
    )
    .filter((rule) => rule.to.path.length > 0);
}

function wallRules() {
  return WALLS.map(([name, only]) => ({
    name: `wall-${name}-only-in-its-place`,
    severity: 'error',
    from: { pathNot: `${only}|^node_modules/` },
    to: { path: `(^|node_modules/)${escaped(name)}(/|$)` },
  }));
}

function rootRules() {
  return ROOTS.map(([from, to, name]) => ({
    name,
    severity: 'error',
    from: { path: from },
    to: { path: to },
  }));
}

const RULES = [
  ...floorRules(FLOORS, ''),
  ...Object.entries(ROOMS).flatMap(([room, floors]) => floorRules(floors, `${room}/`)),
  ...wallRules(),
  ...rootRules(),
  { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'imports-resolve',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true, pathNot: '(^|/)dist/|^footfall:' },
  },
];

/** What stands in no row would be checked by no rule; rooms without folders need no order inside. */
function withoutFloor() {
  const missing = (folder, floors) => {
    const known = new Set([...floors.flat(), 'README.md', 'DECISIONS.md', 'docs']);
    return readdirSync(`src/${folder}`)
      .filter((name) => !known.has(name))
      .map((name) => `src/${folder}${name}`);
  };
  const inside = Object.entries(ROOMS).flatMap(([room, floors]) => missing(`${room}/`, floors));
  return [...missing('', FLOORS), ...inside];
}

async function main() {
  const strangers = withoutFloor();
  if (strangers.length > 0) {
    process.stderr.write(`floors: no floor is given for ${strangers.join(', ')}\n`);
    return 1;
  }
  const { output, exitCode } = await cruise(['src', 'workers', 'bench', 'test'], {
    ruleSet: { forbidden: RULES },
    validate: true,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
    outputType: 'json',
  });
  const { modules, summary } = JSON.parse(output);
  const seen = modules.filter((module) => /^(src|workers)\//.test(module.source)).length;
  for (const { rule, from, to } of summary.violations) {
    process.stderr.write(`floors: ${rule.name}: ${from} -> ${to}\n`);
  }
  if (seen === 0) {
    process.stderr.write('floors: saw no module, so nothing was checked\n');
    return 1;
  }
  process.stdout.write(
    `floors: ${seen} modules of src and workers, ${RULES.length} rules, ` +
      `${summary.violations.length} violations\n`,
  );
  return exitCode === 0 && summary.violations.length === 0 ? 0 : 1;
}

process.exitCode = await main();
