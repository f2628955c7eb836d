/** Themes of an account or an organization, for its sites to choose from: made, changed, copied, removed (M-71). */
import { useState } from 'preact/hooks';
import { type AnswerOf, call } from '../../data/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { say } from '../../words/settings.ts';
import type { Field } from '../forms/fields.ts';
import { RecordForm } from '../forms/record-form.tsx';
import { mayLeave } from '../forms/unsaved.ts';
import { PartHead } from '../part-head.tsx';
import type { Place } from '../place.ts';
import { formOf } from '../site/theme.tsx';
import { ThemeForm } from '../site/theme-form.tsx';
import type { Look } from '../site/theme-preview.tsx';

type Theme = AnswerOf<'GET /api/v1/theme'>[number];
type Open =
  | { readonly kind: 'new' }
  | { readonly kind: 'change' | 'copy' | 'remove'; readonly id: string };

const NAME: Field = { name: 'name', label: 'name', kind: 'text', isRequired: true };
const KEEP: Field = { name: 'keep_settings', label: 'keepSettings', kind: 'switch' };
const NO_FILES: ReadonlyMap<string, File> = new Map();

export function ThemesPage({ organization }: Pick<Place, 'organization'>) {
  const within = organization === null ? {} : { organization_id: organization.id };
  const [open, setOpen] = useState<Open | null>(null);
  const asked = () => call('GET /api/v1/theme', within);
  const { found: themes, fault, load } = useLoaded(asked, [organization?.id]);
  return (
    <section class="settings-part">
      <PartHead
        title={say('themes')}
        hint={say(organization === null ? 'themesHint' : 'organizationThemesHint')}
      >
        <button type="button" class="button is-main" onClick={() => setOpen({ kind: 'new' })}>
          {say('add')}
        </button>
      </PartHead>
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      {themes?.length === 0 && <p class="empty">{say('themesNone')}</p>}
      <ul class="records">
        {(themes ?? []).map(({ id, name }) => (
          <li key={id}>
            <div>
              <strong dir="auto">{name}</strong>
            </div>
            {(['change', 'copy', 'remove'] as const).map((kind) => (
              <button
                key={kind}
                type="button"
                class="button is-plain"
                aria-label={`${say(kind)}: ${name}`}
                onClick={() => setOpen({ kind, id })}
              >
                {say(kind)}
              </button>
            ))}
          </li>
        ))}
      </ul>
      {open !== null && (
        <ThemeDialog
          open={open}
          within={within}
          theme={(themes ?? []).find(({ id }) => 'id' in open && id === open.id) ?? null}
          onLoad={load}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}

interface DialogGiven {
  readonly open: Open;
  /** What a new one is made with. */
  readonly within: Readonly<Record<string, string>>;
  /** Null: a new one. */
  readonly theme: Theme | null;
  readonly onLoad: () => Promise<void>;
  readonly onClose: () => void;
}

function ThemeDialog({ open, within, theme, onLoad, onClose }: DialogGiven) {
  const shared = { onClose, mayClose: mayLeave };
  const done = async () => {
    onClose();
    await onLoad();
  };
  const post = (data: object, files = NO_FILES) =>
    call('POST /api/v1/theme', {}, formOf(data, files));
  if (theme === null || open.kind === 'copy') {
    const copied = theme === null ? {} : { copy_id: theme.id };
    return (
      <Dialog title={say(theme === null ? 'themeNew' : 'copy')} {...shared}>
        <RecordForm
          fields={[NAME]}
          values={{ name: theme?.name ?? '' }}
          submitWord="add"
          onSubmit={async (values) => {
            await post({ ...within, ...copied, ...values });
            await done();
          }}
        />
      </Dialog>
    );
  }
  if (open.kind === 'remove') {
    return (
      <Dialog title={say('removeNamed', { name: theme.name })} {...shared}>
        <RecordForm
          fields={[KEEP]}
          values={{}}
          submitWord="remove"
          isDanger
          onSubmit={async ({ keep_settings: keep }) => {
            await call('DELETE /api/v1/theme', { id: theme.id, keep_settings: String(keep) });
            await done();
          }}
        />
      </Dialog>
    );
  }
  const { id, name, settings, logo_light, logo_dark, favicon } = theme;
  const own: Look = { ...settings, logo_light, logo_dark, favicon };
  return (
    <Dialog title={name} isWide {...shared}>
      <RecordForm
        fields={[NAME]}
        values={{ name }}
        submitWord="save"
        onSubmit={async (values) => {
          await post({ id, settings, ...values });
          await onLoad();
        }}
      />
      <ThemeForm
        own={own}
        below={{}}
        name={name}
        onSave={async (changed, files) => {
          await post({ id, name, settings: changed }, files);
          await onLoad();
        }}
        onRemove={async (file) => {
          await call('DELETE /api/v1/theme/file', { theme_id: id, file });
          await onLoad();
        }}
      />
    </Dialog>
  );
}
