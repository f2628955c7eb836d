/** Saved views (D-10): looked at, saved, renamed, removed. Everybody on the site sees them (M-61). */
import { useEffect, useState } from 'preact/hooks';
import { ApiError, call } from '../../data/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import type { Values } from '../../settings/forms/fields.ts';
import { RecordForm } from '../../settings/forms/record-form.tsx';
import { mayLeave } from '../../settings/forms/unsaved.ts';
import { show, view } from '../../view/view.ts';
import { word } from '../../words/words.ts';
import { mayChange } from '../may-change.ts';
import type { SiteData } from '../site-data.ts';
import { recordOf, type SavedView, viewOfRecord } from './saved.ts';

interface Given {
  readonly data: SiteData;
  /** Null: nobody is signed in. */
  readonly userId: string | null;
  readonly onClose: () => void;
}

export function ViewsDialog({ data, userId, onClose }: Given) {
  const domain_id = data.domain.id;
  const [views, setViews] = useState<readonly SavedView[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const [times, setTimes] = useState(0);
  const run = async (change: () => Promise<unknown>): Promise<void> => {
    try {
      await change();
      setViews(await call('GET /api/v1/view', { domain_id }));
      setFault(null);
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError(0, ''));
    }
  };
  const load = () => run(async () => undefined);
  useEffect(() => void load(), [domain_id]);
  const post = async (body: Values) => {
    await call('POST /api/v1/view', {}, body);
    setTimes(times + 1);
    await load();
  };
  return (
    <Dialog title={word('savedViews')} onClose={onClose} mayClose={mayLeave}>
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      {views?.length === 0 && <p class="quiet">{word('noneYet')}</p>}
      <ul class="saved-views">
        {(views ?? []).map((saved) => (
          <SavedRow
            key={saved.id}
            saved={saved}
            mayEdit={mayChange(data.domain) || (userId !== null && saved.user_id === userId)}
            onChoose={() => {
              onClose();
              show(viewOfRecord(saved));
            }}
            onRename={(name) => post({ ...saved, name })}
            onRemove={() => run(() => call('DELETE /api/v1/view', { id: saved.id }))}
          />
        ))}
      </ul>
      {userId !== null && (
        <RecordForm
          // Empty again, once it is saved.
          key={times}
          fields={[{ name: 'name', label: 'saveView', kind: 'text', isRequired: true }]}
          values={{}}
          submitWord="save"
          onSubmit={({ name }) => {
            const { frames } = data.spansOf(view.peek());
            return post({ domain_id, name, ...recordOf(view.peek(), frames) });
          }}
        />
      )}
    </Dialog>
  );
}

interface RowGiven {
  readonly saved: SavedView;
  readonly mayEdit: boolean;
  readonly onChoose: () => void;
  readonly onRename: (name: unknown) => Promise<void>;
  readonly onRemove: () => Promise<void>;
}

function SavedRow({ saved, mayEdit, onChoose, onRename, onRemove }: RowGiven) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) {
    return (
      <li>
        <RecordForm
          fields={[{ name: 'name', label: 'name', kind: 'text', isRequired: true }]}
          values={{ name: saved.name }}
          submitWord="save"
          isRow
          onSubmit={async ({ name }) => {
            await onRename(name);
            setOpen(false);
          }}
        />
      </li>
    );
  }
  return (
    <li>
      <button type="button" class="bar-text" dir="auto" onClick={onChoose}>
        {saved.name}
      </button>
      {mayEdit && (
        <>
          <button
            type="button"
            class="button is-plain"
            aria-label={`${word('rename')}: ${saved.name}`}
            onClick={() => setOpen(true)}
          >
            {word('rename')}
          </button>
          <button
            type="button"
            class="button is-plain"
            aria-label={`${word('remove')}: ${saved.name}`}
            onClick={() => void onRemove()}
          >
            <span aria-hidden="true">✕</span>
          </button>
        </>
      )}
    </li>
  );
}
