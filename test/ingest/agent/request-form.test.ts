/**
 * Goal: the form of a browser's request tells a prefetch and a program as I-10 to I-13 say.
 * Method: every combination of the headers that matter, against the rules written out one by one.
 */
import { describe, expect, test } from 'vitest';
import { type RequestForm, requestVerdict } from '../../../src/ingest/agent/request-form.ts';
import { DROP_REASONS } from '../../../src/model/drop-reasons.ts';

const NONE: RequestForm = {
  ...{ xMoz: '', xPurpose: '', purpose: '', referer: '', upgradeInsecureRequests: '' },
  ...{ secFetchSite: '', secFetchMode: '', secFetchDest: '' },
};

const reasonOf = (form: Partial<RequestForm>) => DROP_REASONS[requestVerdict({ ...NONE, ...form })];

describe('a request', () => {
  test.each<[Partial<RequestForm>, string]>([
    [{}, ''],
    [{ xMoz: 'prefetch' }, 'prefetch'],
    [{ xMoz: ' Prefetch ' }, 'prefetch'],
    [{ xMoz: 'preview' }, ''],
    [{ xPurpose: 'prefetch' }, 'prefetch'],
    [{ xPurpose: 'preview' }, 'prefetch'],
    [{ xPurpose: 'prefetching' }, ''],
    [{ purpose: 'prefetch' }, 'prefetch'],
    [{ purpose: 'PREVIEW' }, 'prefetch'],
    [{ purpose: 'view' }, ''],
    [{ secFetchSite: 'none' }, ''],
    [{ secFetchSite: 'none', referer: 'https://a.test/' }, 'sfs-referrer'],
    [{ secFetchSite: 'none', referer: ' ' }, ''],
    [{ secFetchSite: 'cross-site', referer: 'https://a.test/' }, ''],
    [{ referer: 'https://a.test/' }, ''],
    [{ upgradeInsecureRequests: '1' }, ''],
    [{ upgradeInsecureRequests: '1', secFetchMode: 'cors' }, 'ui-cors'],
    [{ upgradeInsecureRequests: '1', secFetchMode: 'no-cors' }, ''],
    [{ upgradeInsecureRequests: '0', secFetchMode: 'cors' }, ''],
    [{ secFetchMode: 'cors', secFetchDest: 'empty' }, ''],
    [{ upgradeInsecureRequests: '1', secFetchDest: 'empty' }, 'sfd-ui'],
    [{ upgradeInsecureRequests: '1', secFetchDest: 'document' }, ''],
  ])('with %j is dropped as %j (I-10, I-11, I-12, I-13)', (form, reason) => {
    expect(reasonOf(form)).toBe(reason);
  });

  test('is dropped by the first rule that matches, whatever else it has (I-10 to I-13)', () => {
    const forms = combinations({
      xMoz: ['', 'prefetch'],
      purpose: ['', 'preview'],
      secFetchSite: ['', 'none', 'same-origin'],
      referer: ['', 'https://a.test/'],
      upgradeInsecureRequests: ['', '1'],
      secFetchMode: ['', 'cors', 'navigate'],
      secFetchDest: ['', 'empty', 'document'],
    });
    expect(forms.length).toBe(432);
    for (const form of forms) expect(reasonOf(form)).toBe(writtenOut(form));
  });
});

function writtenOut(form: RequestForm): string {
  const rules: [string, boolean][] = [
    ['prefetch', form.xMoz === 'prefetch' || form.purpose === 'preview'],
    ['sfs-referrer', form.secFetchSite === 'none' && form.referer !== ''],
    ['ui-cors', form.upgradeInsecureRequests === '1' && form.secFetchMode === 'cors'],
    ['sfd-ui', form.secFetchDest === 'empty' && form.upgradeInsecureRequests === '1'],
  ];
  return rules.find(([, matches]) => matches)?.[0] ?? '';
}

function combinations(values: Partial<Record<keyof RequestForm, string[]>>): RequestForm[] {
  return Object.entries(values).reduce<RequestForm[]>(
    (forms, [name, texts]) =>
      forms.flatMap((form) => texts.map((text) => ({ ...form, [name]: text }))),
    [NONE],
  );
}
