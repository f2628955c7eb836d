/** Where light and dark are chosen. */
import { word } from '../words/words.ts';
import { APPEARANCES, type Appearance, appearance } from './appearance.ts';
import { Menu } from './menu.tsx';

export function AppearanceMenu() {
  return (
    <Menu
      label={word('appearance')}
      className="appearance"
      isRight
      choices={APPEARANCES.map((key) => ({
        key,
        label: word(key === 'system' ? 'bySystem' : key),
        isChosen: key === appearance.value,
      }))}
      onChoose={(key) => {
        appearance.value = key as Appearance;
      }}
    >
      <span aria-hidden="true">◐</span>
    </Menu>
  );
}
