/**
 * Light or dark, and the language, for this browser: by the system, unless a person says otherwise; and
 * what a person wants of every dashboard (M-14).
 */
import { call } from '../data/api.ts';
import { APPEARANCES, appearance } from '../parts/appearance.ts';
import { appearanceWord, languageWord } from '../parts/appearance-words.ts';
import { SwitchRow } from '../settings/forms/switch-row.tsx';
import { chooseLanguage, chosenLanguage, LANGUAGES } from '../words/language.ts';
import { word } from '../words/words.ts';
import type { User } from './user.ts';

/** The request turns each of them over. */
const TASTES = [
  { path: 'user/active', field: 'active_in_title', label: 'activeInTitle' },
  { path: 'user/fullwidth', field: 'full_width', label: 'fullWidth' },
] as const;

interface TastesGiven {
  readonly user: User;
  readonly onChanged: () => Promise<void>;
}

export function Appearance({ user, onChanged }: TastesGiven) {
  return (
    <section class="card settings-part">
      <h2>{word('appearanceAndLanguage')}</h2>
      <Choices
        name="appearance"
        title={word('appearance')}
        choices={APPEARANCES.map((key) => ({
          ...{ label: appearanceWord(key), isChosen: appearance.value === key },
          onChoose: () => {
            appearance.value = key;
          },
        }))}
      />
      <Choices
        name="language"
        title={word('pageLanguage')}
        choices={LANGUAGES.map((key) => ({
          ...{ label: languageWord(key), isChosen: chosenLanguage === key },
          onChoose: () => chooseLanguage(key),
        }))}
      />
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

interface Given {
  readonly name: string;
  readonly title: string;
  readonly choices: readonly {
    readonly label: string;
    readonly isChosen: boolean;
    readonly onChoose: () => void;
  }[];
}

function Choices({ name, title, choices }: Given) {
  return (
    <fieldset class="choices">
      <legend>{title}</legend>
      {choices.map(({ label, isChosen, onChoose }) => (
        <label key={label} class="check">
          <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
