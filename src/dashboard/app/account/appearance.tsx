/** Light or dark, for this browser: by the system, unless a person says otherwise. */
import { useState } from 'preact/hooks';
import { word } from '../words/words.ts';
import { appearance, type Looks, setAppearance } from './looks.ts';

const CHOICES = [
  ['', 'bySystem'],
  ['light', 'light'],
  ['dark', 'dark'],
] as const;

export function Appearance() {
  const [chosen, setChosen] = useState<Looks>(appearance());
  return (
    <section class="card settings-part">
      <h2 id="appearance">{word('appearance')}</h2>
      <div class="choices" role="radiogroup" aria-labelledby="appearance">
        {CHOICES.map(([key, label]) => (
          <label key={key} class="check">
            <input
              type="radio"
              name="appearance"
              checked={chosen === key}
              onChange={() => {
                setAppearance(key);
                setChosen(key);
              }}
            />
            {word(label)}
          </label>
        ))}
      </div>
    </section>
  );
}
