/** A record in its list, and the secrets of a new one. */

import { type SayKey, say } from '../../words/settings.ts';
import { CopyButton } from '../copy-button.tsx';
import type { Place } from '../place.ts';
import { follow } from './record-kinds.tsx';
import type { Open, Rec, RecordKind } from './records.ts';

interface Given {
  readonly kind: RecordKind;
  readonly record: Rec;
  readonly place: Place;
  readonly onOpen: (open: Open) => void;
  /** Something of it is different now. */
  readonly onDone: () => void;
}

export function RecordRow({ kind, record, place, onOpen, onDone }: Given) {
  const { name, more, address, href } = kind.told(record, place);
  const isChanged = kind.isChanged?.(record, place) !== false;
  const isRemoved = kind.isRemoved?.(record, place) ?? isChanged;
  const [path = '', search = ''] = (href ?? '').split(/(?=\?)/);
  return (
    <li>
      <div>
        {href === undefined ? (
          <strong dir="auto">{name}</strong>
        ) : (
          <a dir="auto" href={href} onClick={(event) => follow(event, path, search)}>
            {name}
          </a>
        )}
        <small dir="auto">{more}</small>
      </div>
      {address !== undefined && <CopyButton text={address} label={name} />}
      {kind.tools?.map((tool) => (
        <RowButton
          key={tool.label}
          label={tool.label}
          name={name}
          onClick={() => onOpen({ kind: 'tool', record, tool })}
        />
      ))}
      {isChanged && kind.change !== null && (
        <RowButton label="change" name={name} onClick={() => onOpen({ kind: 'change', record })} />
      )}
      {isRemoved && (
        <RowButton label="remove" name={name} onClick={() => onOpen({ kind: 'remove', record })} />
      )}
      {kind.notice?.(record, place, onDone)}
    </li>
  );
}

interface ButtonGiven {
  readonly label: SayKey;
  readonly name: string;
  readonly onClick: () => void;
}

function RowButton({ label, name, onClick }: ButtonGiven) {
  return (
    <button
      type="button"
      class="button is-plain"
      aria-label={`${say(label)}: ${name}`}
      onClick={onClick}
    >
      {say(label)}
    </button>
  );
}

/** Shown until the page is left: nobody can ask for them again (M-40). */
export function Secrets({ names, record }: { names: readonly string[]; record: Rec }) {
  return (
    <div class="secrets" role="status">
      <p>{say('shownOnce')}</p>
      <dl>
        {names
          .filter((name) => typeof record[name] === 'string' && record[name] !== '')
          .map((name) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{String(record[name])}</code>
                <CopyButton text={String(record[name])} label={name} />
              </dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
