// Goal and method: see `faults/crash-run.ts`; here on JetStream, and what the service has counted
// is taken away or set back while it is dead, as on another machine that takes over. Most lives end
// by SIGTERM, and SIGKILL in the middle of what that starts: saving, storing snapshots, forgetting the
// log; starts are killed while they restore.
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testCrashes } from '../../support/faults/crash-run.ts';
import { NatsServer } from '../../support/nats-server.ts';

/** Share of the lives that end by SIGTERM first, and for how long it has its way. */
const TERMINATED = 0.8;
const TERMINATION_MS_MAX = 1_500;
/** Shares of the deaths after which the state is gone, or an older one. */
const GONE = 0.4;
const OLDER = 0.3;

const server = new NatsServer();
/** Shards found that had come from a snapshot: without any the test would show nothing. */
let restored = 0;
let lives = 0;
const older = join(mkdtempSync(join(tmpdir(), 'footfall-older-')), 'state');

testCrashes({
  kills: { long: 12, short: 3 },
  async prepare() {
    await server.start();
    return { FOOTFALL_NATS_SERVERS: server.url };
  },
  async end(running, random) {
    lives++;
    // The first one ends in order and leaves snapshots of all, so that few lives show something, too.
    if (lives === 1) await running.stop();
    if (random() >= TERMINATED) return;
    const stopping = running.stop().catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, random() * TERMINATION_MS_MAX));
    await running.kill();
    await stopping;
  },
  displace(dataDir, random) {
    const state = join(dataDir, 'state');
    if (!existsSync(state)) return;
    restored += readdirSync(state).filter((name) => /^shard-\d+-\d+$/.test(name)).length;
    const kind = lives === 1 ? 0 : random();
    if (kind >= GONE + OLDER) return;
    const kept = `${older}-next`;
    cpSync(state, kept, { recursive: true });
    rmSync(state, { recursive: true });
    if (kind >= GONE && existsSync(older)) cpSync(older, state, { recursive: true });
    rmSync(older, { recursive: true, force: true });
    cpSync(kept, older, { recursive: true });
    rmSync(kept, { recursive: true });
  },
  async dispose() {
    await server.dispose();
    if (restored === 0) throw new Error('no shard was restored: other lives are needed');
    rmSync(join(older, '..'), { recursive: true, force: true });
  },
});
