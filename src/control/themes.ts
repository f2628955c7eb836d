/**
 * What happens to themes beyond fields: files come with them, copies, and what domains keep of one that
 * goes (M-70, M-71).
 *
 * Control plane. Whether the caller may is asked before, by the endpoint.
 */
import { errors } from '../model/errors.ts';
import { changed, created, draftChanged, draftNew, faultsOf } from './descriptor/draft.ts';
import type { AnyRecord, Change, Look } from './descriptor/resource.ts';
import { type FileContent, type Files, isWhole } from './files.ts';
import { notFound, type RecordRequest, type Records } from './records.ts';
import { removalOf } from './registry/changes.ts';
import { type Domain, domain } from './resources/domain.ts';
import { file } from './resources/file.ts';
import { organization } from './resources/organization.ts';
import {
  ownTheme,
  THEME_FILE_NAMES,
  THEME_FILES,
  type Theme,
  type ThemeFile,
  theme,
  themeLayers,
} from './resources/theme.ts';

/** Which theme is meant; one that is not there yet is made. */
export type ThemeTarget =
  | { readonly kind: 'new' }
  | { readonly kind: 'id'; readonly id: string }
  /** The own one of a domain. */
  | { readonly kind: 'domain'; readonly id: string };

/** A theme as a request wants it. */
export interface ThemeWish {
  readonly target: ThemeTarget;
  /** Id of the theme to begin with; null: an empty one. */
  readonly copyOf: string | null;
  readonly files: ReadonlyMap<ThemeFile, FileContent>;
}

/** Where themes and their files are. */
export interface ThemeStore {
  readonly records: Pick<Records, 'decide'>;
  readonly files: Pick<Files, 'keep'>;
}

type Sent = Readonly<Record<string, unknown>>;

/**
 * Makes a theme or changes it, with its files.
 *
 * @param request the fields of the theme that it carries.
 * @throws RECORD_NOT_FOUND; VALIDATION_FAILED by field of the request: then no file is kept either.
 */
export async function saveTheme(
  { records, files }: ThemeStore,
  wish: ThemeWish,
  request: RecordRequest,
): Promise<Theme> {
  const contents = [...wish.files.values()];
  await records.decide(request, (view, atMs) => {
    checkDraft(draftOf(wish, request, view, atMs), view);
    return { changes: [], result: null };
  });
  for (;;) {
    for (const content of contents) await files.keep(content, request);
    const saved = await records.decide(request, (view, atMs) => {
      // Somebody may have taken the last name of the same file away meanwhile, and the file with it.
      const isKept = contents.every(({ hash }) => isWhole(view.find(file, hash)));
      if (!isKept) return { changes: [], result: null };
      const { before, record } = draftOf(wish, request, view, atMs);
      return { changes: changesOf(before, record, view), result: record };
    });
    if (saved !== null) return saved;
  }
}

interface ThemeDraft {
  /** Null: it is a new one. */
  readonly before: Theme | null;
  readonly record: Theme;
}

function draftOf(wish: ThemeWish, request: RecordRequest, view: Look, nowMs: number): ThemeDraft {
  const { target, copyOf } = wish;
  const before = targetOf(target, view);
  const base = copyOf === null ? {} : sentOf(known(copyOf, view));
  const files = Object.fromEntries([...wish.files].map(([name, { hash }]) => [name, hash]));
  const owner = target.kind === 'domain' ? ownOf(target.id, before, view) : {};
  const sent: Sent = { ...owner, ...base, ...given(request.sent), ...files };
  const context = { sent, userId: request.userId, nowMs, view };
  return before === null
    ? { before, record: draftNew(theme, context).record }
    : { before, record: draftChanged(theme, before, context) };
}

function targetOf(target: ThemeTarget, view: Look): Theme | null {
  if (target.kind === 'new') return null;
  return target.kind === 'id' ? known(target.id, view) : ownTheme(target.id, view);
}

/** A domain's own theme has the name of its domain unless it is given one. */
function ownOf(domainId: string, before: Theme | null, view: Look): Sent {
  const site = view.find(domain, domainId);
  if (site === null) throw notFound(domain, domainId);
  return before === null ? { domain_id: domainId, name: site.hostname } : {};
}

/** All of a theme, as a request would carry it. */
function sentOf(source: Theme): Sent {
  const files = THEME_FILE_NAMES.map((name) => [name, source[THEME_FILES[name]]]);
  return { name: source.name, settings: source.settings, ...Object.fromEntries(files) };
}

/** What a request says: null and a blank name say nothing. */
function given(sent: Sent): Sent {
  const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';
  return Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value != null && !isBlank(value)),
  );
}

function known(id: string, view: Look): Theme {
  const found = view.find(theme, id);
  if (found === null) throw notFound(theme, id);
  return found;
}

/** @throws VALIDATION_FAILED for whatever is wrong beside files that are still to be kept. */
function checkDraft({ before, record }: ThemeDraft, view: Look): void {
  const faults = faultsOf(theme, record as AnyRecord, view, before === null);
  const found = Object.entries(faults).filter(
    ([name, fault]) => fault !== '' && !THEME_FILE_NAMES.some((one) => one === name),
  );
  if (found.length > 0) {
    throw errors.VALIDATION_FAILED({ validation: Object.fromEntries(found) });
  }
}

/** A domain's own theme is a part of the domain, so that changes with it (M-7). */
function changesOf(before: Theme | null, record: Theme, view: Look): Change[] {
  if (record === before) return [];
  const site = record.domainId === null ? null : view.find(domain, record.domainId);
  return [
    before === null ? created(theme, record) : changed(theme, record),
    ...(site === null ? [] : [changed(domain, { ...site, modifiedMs: record.modifiedMs })]),
  ];
}

/** Takes a file out of a theme; one that is not there is out already. */
export function withoutFile(
  target: ThemeTarget,
  name: ThemeFile,
  { view, nowMs }: { readonly view: Look; readonly nowMs: number },
): Change[] {
  const before = targetOf(target, view);
  const field = THEME_FILES[name];
  if (before === null || before[field] === null) return [];
  return changesOf(before, { ...before, [field]: null, modifiedMs: nowMs }, view);
}

/**
 * Removes a theme. @param keeps then every domain shows afterwards what it showed before: what it has of
 * the theme is written into its own.
 */
export function themeRemoval(
  id: string,
  keeps: boolean,
  { view, ...making }: Pick<RecordRequest, 'userId' | 'nowMs'> & { readonly view: Look },
): Change[] {
  const gone = known(id, view);
  const kept = keeps
    ? shownBy(gone, view).flatMap((site) => inheritance(gone, site, { ...making, view }))
    : [];
  return [...kept, ...removalOf([{ resource: theme, id }], view, making.nowMs)];
}

/** Domains that show something of a theme: it was chosen, or is the one of their organization. */
function shownBy({ id }: Theme, view: Look): Domain[] {
  const within = view
    .of(organization, 'themeId', id)
    .flatMap((place) => view.of(domain, 'organizationId', place.id));
  return [...new Set([...view.of(domain, 'themeId', id), ...within])];
}

/** A domain's own theme with what it showed of another one and nothing over that. */
function inheritance(
  gone: Theme,
  site: Domain,
  making: Pick<RecordRequest, 'userId' | 'nowMs'> & { readonly view: Look },
): Change[] {
  const { view } = making;
  const layers = themeLayers(site as AnyRecord, view);
  const over = layers.slice(layers.findLastIndex(({ id }) => id === gone.id) + 1);
  const own = ownTheme(site.id, view);
  const hidden = new Set(over.flatMap((layer) => Object.keys(layer.settings)));
  const left = Object.entries(gone.settings).filter(([key]) => !hidden.has(key));
  const files = THEME_FILE_NAMES.filter((name) =>
    over.every((layer) => layer[THEME_FILES[name]] === null),
  ).map((name) => [name, gone[THEME_FILES[name]]]);
  const sent: Sent = {
    ...(own === null ? { domain_id: site.id, name: site.hostname } : {}),
    settings: Object.fromEntries([...left, ...Object.entries(own?.settings ?? {})]),
    ...Object.fromEntries(files),
  };
  const context = { ...making, sent };
  const record = own === null ? draftNew(theme, context).record : draftChanged(theme, own, context);
  return changesOf(own, record, view);
}
