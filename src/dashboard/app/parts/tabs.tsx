/** Tabs: one tab stop, arrows move between them. */
import { moveFocus } from './menu.tsx';

interface Given {
  readonly label: string;
  readonly tabs: readonly { readonly key: string; readonly label: string }[];
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
  /** The id of what they show. */
  readonly controls: string;
}

export function Tabs({ label, tabs, chosen, onChoose, controls }: Given) {
  const onKeyDown = (event: KeyboardEvent) => {
    const list = event.currentTarget as HTMLElement;
    const items = [...list.querySelectorAll<HTMLElement>('[role=tab]')];
    if (!moveFocus(items, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    (document.activeElement as HTMLElement).click();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          type="button"
          role="tab"
          key={tab.key}
          aria-selected={tab.key === chosen}
          aria-controls={controls}
          tabIndex={tab.key === chosen ? 0 : -1}
          onClick={() => onChoose(tab.key)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
