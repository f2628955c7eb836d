/**
 * Tells of test files that run unusually long, while they run.
 *
 * Tests have budgets, but a process that loops or never answers does not end by them, and a run that
 * hangs says nothing else about where.
 */
const TOLD_AFTER_MS = 5 * 60_000;
const LOOKED_EVERY_MS = 60_000;

export default class RunningFiles {
  #begun = new Map();
  #timer;

  onTestRunStart() {
    this.#timer = setInterval(() => this.#tell(), LOOKED_EVERY_MS);
    this.#timer.unref();
  }

  onTestModuleStart({ moduleId }) {
    this.#begun.set(moduleId, Date.now());
  }

  onTestModuleEnd({ moduleId }) {
    this.#begun.delete(moduleId);
  }

  onTestRunEnd() {
    clearInterval(this.#timer);
  }

  #tell() {
    for (const [file, begun] of this.#begun) {
      const minutes = Math.round((Date.now() - begun) / 60_000);
      if (Date.now() - begun < TOLD_AFTER_MS) continue;
      process.stderr.write(`still running after ${minutes} minutes: ${file}\n`);
    }
  }
}
