/**
 * `node config/tools/limited.mjs MINUTES COMMAND…` runs a command, and ends it when it takes longer.
 *
 * A step that hangs would otherwise be waited for by CI until CI itself is ended, which tells nobody
 * where. Exit status: that of the command; 124 when it was ended, after a list of what was running.
 */
import { execFileSync, spawn } from 'node:child_process';

const [minutes, command, ...words] = process.argv.slice(2);
// A group of its own, so that what the command has started is ended with it.
const child = spawn(command, words, { stdio: 'inherit', detached: true });
const timer = setTimeout(() => {
  process.stderr.write(`\nended after ${minutes} minutes: ${[command, ...words].join(' ')}\n`);
  process.stderr.write(`${running()}\n`);
  process.kill(-child.pid, 'SIGKILL');
  process.exit(124);
}, Number(minutes) * 60_000);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => process.kill(-child.pid, signal));
}
child.on('error', (error) => {
  process.stderr.write(`${command} cannot be run: ${error.message}\n`);
  process.exit(127);
});
child.on('exit', (code) => {
  clearTimeout(timer);
  process.exit(code ?? 1);
});

/** The processes of this machine, with their states and what they wait for in the kernel. */
function running() {
  const columns = 'pid,ppid,etimes,time,stat,wchan:24,args';
  try {
    return execFileSync('ps', ['-e', '--forest', '-o', columns], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.slice(0, 220))
      .join('\n');
  } catch (error) {
    return `the processes cannot be listed: ${error.message}`;
  }
}
