/**
 * The oracle's options: what filters can be set to (S-95 to S-97).
 */

import type { Dimensions, ModelSum, PageView, World } from '../world.ts';
import {
  eventsInRange,
  passesMetaKey,
  passesSearch,
  scopedEvents,
  viewsInRange,
} from './filters.ts';
import { sumsOf, unfiltered } from './imported.ts';
import { compareTexts } from './lists.ts';
import type { Question } from './question.ts';

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
  imported?: ModelSum['dimension'],
): Options =>
  options((question, world) => {
    const own = viewsInRange(question, world).flatMap((view) => valuesOf(view, question));
    if (imported === undefined) return own;
    const sums = sumsOf(unfiltered(question), world, imported);
    const counted = sums.filter(({ visitors, views }) => visitors > 0 || views > 0);
    return [...own, ...counted.map(({ value }) => value)];
  });

const dimensionOptions = (field: keyof Dimensions, imported?: ModelSum['dimension']): Options =>
  viewOptions(({ session }) => [session.dimensions[field]], imported);

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
  'options/page': viewOptions(({ path }) => [path], 'page'),
  'options/tag': viewOptions((view) => Object.keys(view.tags)),
  'options/tag/value': tagValueOptions,
  'options/event': options((question, world) =>
    eventsInRange(question, world).map(({ name }) => name),
  ),
  'options/metadata': metadataOptions,
  'options/referrer': dimensionOptions('referrer'),
  'options/referrer/name': dimensionOptions('referrerName', 'referrer'),
  'options/channel': dimensionOptions('channel'),
  'options/country': dimensionOptions('country', 'country'),
  'options/region': dimensionOptions('region', 'region'),
  'options/city': dimensionOptions('city', 'city'),
  'options/language': dimensionOptions('language', 'language'),
  'options/utm/source': dimensionOptions('utmSource', 'utm_source'),
  'options/utm/medium': dimensionOptions('utmMedium', 'utm_medium'),
  'options/utm/campaign': dimensionOptions('utmCampaign', 'utm_campaign'),
  'options/utm/content': dimensionOptions('utmContent'),
  'options/utm/term': dimensionOptions('utmTerm'),
  'options/hostname': dimensionOptions('hostname'),
  'options/device': dimensionOptions('device'),
};
