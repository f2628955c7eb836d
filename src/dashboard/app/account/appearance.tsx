/** Light or dark, and the language, for this browser: by the system, unless a person says otherwise. */

import { APPEARANCES, appearance } from '../parts/appearance.ts';
import { appearanceWord, languageWord } from '../parts/appearance-words.ts';
import { chooseLanguage, chosenLanguage, LANGUAGES } from '../words/language.ts';
import { word } from '../words/words.ts';

export function Appearance() {
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
