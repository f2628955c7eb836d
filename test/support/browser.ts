/**
 * A real browser for tests of pages: Debian's Chromium, which `npm test` installs
 * (`config/tools/test-programs.mjs`).
 */
import { type Browser, chromium } from 'playwright-core';

/** What its windows say they are: the headless one's own words are those of a bot. */
export const BROWSER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Starts one; close it afterwards. @param flags of the program. */
export function startBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    // Containers have no user namespaces, and little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...flags],
    // Playwright would keep pages out of the back-forward cache.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
}
