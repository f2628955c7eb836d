/** How the page looks: light or dark, for this browser; and what a person wants of every dashboard (M-14). */
import { call } from '../data/api.ts';
import { APPEARANCES, appearance } from '../parts/appearance.ts';
import { SwitchRow } from '../settings/forms/switch-row.tsx';
import { word } from '../words/words.ts';
import type { User } from './user.ts';

/** The request turns each of them over. */
const TASTES = [
  { path: 'user/active', field: 'active_in_title', label: 'activeInTitle' },
  { path: 'user/fullwidth', field: 'full_width', label: 'fullWidth' },
] as const;

interface Given {
  readonly user: User;
  readonly onChanged: () => Promise<void>;
}

export function Appearance({ user, onChanged }: Given) {
  return (
    <section class="card settings-part">
      <h2 id="appearance">{word('appearance')}</h2>
      <div class="choices" role="radiogroup" aria-labelledby="appearance">
        {APPEARANCES.map((key) => (
          <label key={key} class="check">
            <input
              type="radio"
              name="appearance"
              checked={appearance.value === key}
              onChange={() => {
                appearance.value = key;
              }}
            />
            {word(key === 'system' ? 'bySystem' : key)}
          </label>
        ))}
      </div>
      {TASTES.map(({ path, field, label }) => (
        <SwitchRow
          key={path}
          label={label}
          isOn={user[field]}
          onTurn={async () => {
            await call(`POST /api/v1/${path}`, {});
            await onChanged();
          }}
        />
      ))}
    </section>
  );
}
