/** Where nothing has been made yet: who may make the first one finds the page for it (D-18). */
import { go } from '../../view/view.ts';
import { word } from '../../words/words.ts';
import { mayChange } from '../may-change.ts';
import type { Domain } from '../site-data.ts';

/** The page of the settings, by what it is called here. */
const PARTS = { addGoal: 'goals', addFunnel: 'funnels' } as const;

interface NoneGiven {
  readonly domain: Domain;
  readonly text: 'noGoals' | 'noFunnels';
  readonly next: keyof typeof PARTS;
}

export function NoneYet({ domain, text, next }: NoneGiven) {
  const path = `/${domain.subdomain}`;
  const search = `?settings=${PARTS[next]}`;
  return (
    <div class="empty">
      <p>{word(text)}</p>
      {mayChange(domain) && (
        <a
          class="button"
          href={path + search}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            go(path, search);
          }}
        >
          {word(next)}
        </a>
      )}
    </div>
  );
}
