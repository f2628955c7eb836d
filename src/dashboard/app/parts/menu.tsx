/** A button that opens a list to choose from, by mouse and by keys. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** One choice. */
export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly isChosen?: boolean;
  /** A line above it. */
  readonly isApart?: boolean;
  /** What it and those beside it with the same one choose, where a list chooses several things. */
  readonly group?: string;
}

interface Given {
  /** What the button is for, for those who have it read aloud. */
  readonly label: string;
  /** What it shows. */
  readonly children: ComponentChildren;
  readonly choices: readonly Choice[];
  readonly onChoose: (key: string) => void;
  readonly isRight?: boolean;
  readonly className?: string;
}

export function Menu({ label, children, choices, onChoose, isRight, className }: Given) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  // At once: the next key may be meant for it.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const items = itemsOf(root.current);
    (items.find((item) => item.getAttribute('aria-checked') === 'true') ?? items[0])?.focus();
    const onDown = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    const menu = root.current;
    document.addEventListener('pointerdown', onDown);
    menu?.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('pointerdown', onDown);
      menu?.removeEventListener('keydown', onKeyDown);
    };
  }, [isOpen]);

  const close = () => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') setOpen(false);
    else if (!moveFocus(itemsOf(root.current), event.key)) return;
    if (event.key !== 'Tab') event.preventDefault();
    event.stopPropagation();
  };
  const itemOf = (choice: Choice) => (
    <button
      type="button"
      role="menuitemradio"
      tabIndex={-1}
      key={choice.key}
      aria-checked={choice.isChosen === true}
      class={choice.isApart === true ? 'is-apart' : ''}
      onClick={() => {
        close();
        onChoose(choice.key);
      }}
    >
      {choice.label}
    </button>
  );
  return (
    <div class={`menu ${className ?? ''}`} ref={root}>
      <button
        type="button"
        class="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="sr-only">{label}: </span>
        {children}
        <span class="chevron" aria-hidden="true" />
      </button>
      {isOpen && (
        <div
          class={`menu-list ${isRight === true ? 'is-right' : ''}`}
          role="menu"
          id={id}
          aria-label={label}
        >
          {groupsOf(choices).map((group) =>
            group[0]?.group === undefined ? (
              group.map(itemOf)
            ) : (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is nothing that a menu may have
              <div key={group[0].group} role="group" aria-label={group[0].group}>
                <p aria-hidden="true">{group[0].group}</p>
                {group.map(itemOf)}
              </div>
            ),
          )}
        </div>
      )}
    </div>
  );
}

/** Choices that stand together: those of a group, and those between groups. */
function groupsOf(choices: readonly Choice[]): readonly (readonly Choice[])[] {
  const groups: Choice[][] = [];
  for (const choice of choices) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]?.group === choice.group) last.push(choice);
    else groups.push([choice]);
  }
  return groups;
}

function itemsOf(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[role=menuitemradio]') ?? [])];
}

/** Moves the focus by an arrow, Home or End. @returns whether the key was one of them. */
export function moveFocus(items: readonly HTMLElement[], key: string): boolean {
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowRight: at + 1,
    ArrowUp: at - 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: items.length - 1,
  };
  const to = next[key];
  if (to === undefined) return false;
  items[(to + items.length) % items.length]?.focus();
  return true;
}
