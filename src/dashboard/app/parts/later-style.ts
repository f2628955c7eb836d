/** The style of lists and settings, which whoever opens a site does not load (D-3). */
import { address } from 'footfall:later-style';

let asked: Promise<void> | null = null;

/** Resolves with a part once its style is there too. */
export async function withLaterStyle<Part>(part: Promise<Part>): Promise<Part> {
  asked ??= load().catch((error: unknown) => {
    asked = null;
    throw error;
  });
  const [loaded] = await Promise.all([part, asked]);
  return loaded;
}

function load(): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), {
      rel: 'stylesheet',
      href: address,
    });
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new TypeError('the style is not there'));
    });
    document.head.append(link);
  });
}
