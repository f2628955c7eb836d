/** Where light and dark, and the language, are chosen. */
import {
  chooseLanguage,
  chosenLanguage,
  LANGUAGES,
  type LanguageChoice,
} from '../words/language.ts';
import { word } from '../words/words.ts';
import { APPEARANCES, type Appearance, appearance } from './appearance.ts';
import { appearanceWord, languageWord } from './appearance-words.ts';
import { Menu } from './menu.tsx';

export function AppearanceMenu() {
  return (
    <Menu
      label={word('appearanceAndLanguage')}
      className="appearance"
      isRight
      choices={[
        ...APPEARANCES.map((key) => ({
          ...{ key: `look ${key}`, group: word('appearance'), label: appearanceWord(key) },
          isChosen: key === appearance.value,
        })),
        ...LANGUAGES.map((key) => ({
          ...{ key: `language ${key}`, group: word('pageLanguage'), label: languageWord(key) },
          isChosen: key === chosenLanguage,
        })),
      ]}
      onChoose={(key) => {
        const [what, choice = ''] = key.split(' ');
        if (what === 'look') appearance.value = choice as Appearance;
        else chooseLanguage(choice as LanguageChoice);
      }}
    >
      <span aria-hidden="true">◐</span>
      <span class="in-row" aria-hidden="true">
        {word('appearance')}
      </span>
    </Menu>
  );
}
