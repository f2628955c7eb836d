/**
 * `npm run lighthouse`: what Lighthouse 12 says of the page of a site, on a desk and on a slow phone.
 *
 * It is fetched by npx when it is asked for: with it 150 packages come that nothing else needs. Exit
 * status 1 where performance on a desk is below 95, or accessibility anywhere below 100 (D-3).
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stage } from './stage.ts';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const LEAST = { performance: 0.95, accessibility: 1 } as const;
const FIGURES = [
  ...['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'],
  ...['cumulative-layout-shift', 'speed-index', 'total-byte-weight'],
];
const PATHS = ['/', '/shop-example?range=30d'];
const PRESETS = ['desktop', 'perf'] as const;

interface Report {
  readonly categories: Readonly<Record<keyof typeof LEAST, { readonly score: number }>>;
  readonly audits: Readonly<Record<string, { readonly displayValue?: string }>>;
}

const folder = mkdtempSync(join(tmpdir(), 'footfall-lighthouse-'));
const stage = new Stage();

async function judge(path: string, preset: (typeof PRESETS)[number]): Promise<Report> {
  const [headers, report] = [join(folder, 'headers.json'), join(folder, 'report.json')];
  const { name, value } = stage.cookie;
  writeFileSync(headers, JSON.stringify({ Cookie: `${name}=${value}` }));
  await promisify(execFile)(
    'npx',
    [
      ...['--yes', '--ignore-scripts', LIGHTHOUSE, stage.address + path, '--quiet'],
      ...['--output=json', `--output-path=${report}`, `--extra-headers=${headers}`],
      ...['--only-categories=performance,accessibility'],
      ...(preset === 'desktop' ? ['--preset=desktop'] : []),
      '--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage',
    ],
    { env: { ...process.env, CHROME_PATH: '/usr/bin/chromium' } },
  );
  return JSON.parse(readFileSync(report, 'utf8')) as Report;
}

function tell(path: string, preset: string, { categories, audits }: Report): boolean {
  const { performance, accessibility } = categories;
  const said = FIGURES.map((name) => `${name} ${audits[name]?.displayValue ?? '?'}`).join(', ');
  const scores = [performance.score, accessibility.score].map((score) => Math.round(score * 100));
  const device = preset === 'desktop' ? 'desk' : 'slow phone';
  process.stdout.write(
    `${path} on a ${device}: performance ${scores[0]}, accessibility ${scores[1]} (${said})\n`,
  );
  const isFast = preset !== 'desktop' || performance.score >= LEAST.performance;
  return isFast && accessibility.score >= LEAST.accessibility;
}

try {
  await stage.open();
  for (const path of PATHS) {
    for (const preset of PRESETS) {
      if (!tell(path, preset, await judge(path, preset))) process.exitCode = 1;
    }
  }
} finally {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
}
