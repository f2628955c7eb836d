/**
 * The oracle's options: what filters can be set to (S-95 to S-97).
 */
import {
  eventsInRange,
  passesMetaKey,
  passesSearch,
  scopedEvents,
  viewsInRange,
} from './filters.ts';
import { compareTexts } from './lists.ts';
import type { Question } from './question.ts';
import type { Dimensions, PageView, World } from './world.ts';

type Options = (question: Question, world: World) => unknown;

/** S-95: distinct non-empty values, `search` in any case, ascending, at most 200. */
function options(valuesOf: (question: Question, world: World) => readonly string[]): Options {
  return (question, world) => {
    const found = [...new Set(valuesOf(question, world))].filter(
      (value) => value !== '' && passesSearch(question, value),
    );
    return found.sort(compareTexts).slice(0, 200);
  };
}

const viewOptions = (
  valuesOf: (view: PageView, question: Question) => readonly string[],
): Options =>
  options((question, world) =>
    viewsInRange(question, world).flatMap((view) => valuesOf(view, question)),
  );

const dimensionOptions = (field: keyof Dimensions): Options =>
  viewOptions(({ session }) => [session.dimensions[field]]);

/** S-96. */
const tagValueOptions = viewOptions(({ tags: own }, { values: { tag = [] } }) => {
  const [key = ''] = tag;
  return tag.length === 1 && Object.hasOwn(own, key) ? [own[key] as string] : [];
});

/** S-97. */
const metadataOptions = options((question, world) => {
  const { event = [], event_meta_key = [] } = question.values;
  const restricted = { ...question, values: { event, event_meta_key } };
  return scopedEvents({ ...question, values: { event } }, world).flatMap(({ meta }) =>
    Object.entries(meta)
      .filter(([key]) => passesMetaKey(restricted, key))
      .map(([, value]) => value),
  );
});

/** Every kind, by its path. */
export const OPTIONS: Readonly<Record<string, Options>> = {
  'options/page': viewOptions(({ path }) => [path]),
  'options/tag': viewOptions((view) => Object.keys(view.tags)),
  'options/tag/value': tagValueOptions,
  'options/event': options((question, world) =>
    eventsInRange(question, world).map(({ name }) => name),
  ),
  'options/metadata': metadataOptions,
  'options/referrer': dimensionOptions('referrer'),
  'options/referrer/name': dimensionOptions('referrerName'),
  'options/channel': dimensionOptions('channel'),
  'options/country': dimensionOptions('country'),
  'options/region': dimensionOptions('region'),
  'options/city': dimensionOptions('city'),
  'options/language': dimensionOptions('language'),
  'options/utm/source': dimensionOptions('utmSource'),
  'options/utm/medium': dimensionOptions('utmMedium'),
  'options/utm/campaign': dimensionOptions('utmCampaign'),
  'options/utm/content': dimensionOptions('utmContent'),
  'options/utm/term': dimensionOptions('utmTerm'),
  'options/hostname': dimensionOptions('hostname'),
  'options/device': dimensionOptions('device'),
};
