/** Light or dark, for this browser: by the system, unless a person says otherwise. */
import { APPEARANCES, appearance } from '../parts/appearance.ts';
import { word } from '../words/words.ts';

export function Appearance() {
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
    </section>
  );
}
