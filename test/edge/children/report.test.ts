// Goal: reports are made for many addresses at once, changed and refused as M-50 says.
// Method: real HTTP to an edge over a real registry; now is Friday, 2026-11-20, 12:00 UTC.
import { describe, expect, test } from 'vitest';
import { type Domain, domain } from '../../../src/control/resources/domain.ts';
import { DOMAIN_CHILD_COUNT_MAX } from '../../../src/model/limits.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { expectRefused, expectUnseen, LATER } from './refusals.ts';

const edge = useRegistryEdge();

const make = (fields: Record<string, unknown> = {}) =>
  edge.send('POST', 'report', {
    ...{ domain_id: edge.own.id, emails: ['ada@example.org'], interval: 1, link_to: '' },
    ...fields,
  });
const list = async () => (await edge.send('GET', `report?id=${edge.own.id}`)).json;
const changeDomain = (fields: Partial<Domain>) =>
  edge.registry.change({ nowMs: edge.nowMs, by: { kind: 'cli', id: '' } }, (view) => [
    {
      kind: 'domain-changed',
      payload: { ...(view.find(domain, edge.own.id) as Domain), ...fields },
    },
  ]);

describe('email reports (M-50)', () => {
  test('are one record for each address, in the order sent', async () => {
    const emails = [' ada@example.org ', 'Bob@Example.org'];
    const { status, json } = await make({ emails, link_to: 'dashboard' });
    expect(status).toBe(200);
    const common = {
      ...{ id: expect.stringMatching(/^[A-Za-z0-9]{20}$/), domain_id: edge.own.id, interval: 1 },
      ...{ def_time: '2026-11-20T12:00:00.000Z', mod_time: '2026-11-20T12:00:00.000Z' },
      ...{ link_to: 'dashboard', language: '', next_report: '2026-11-28T07:00:00.000Z' },
    };
    expect(json).toEqual([
      { ...common, email: 'ada@example.org' },
      { ...common, email: 'Bob@Example.org' },
    ]);
    const listed = await list();
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(expect.arrayContaining(json));
  });

  test('take the place of those that an address has, in upper or lower case', async () => {
    const [first] = (await make()).json;
    edge.nowMs += 1_000;
    expect((await make()).json).toEqual([first]);
    const { json } = await make({ emails: ['ADA@example.org', 'bob@example.org'], interval: 0 });
    expect(json[0]).toEqual({
      ...{ ...first, interval: 0, mod_time: LATER, next_report: '2026-11-22T07:00:00.000Z' },
    });
    expect(await list()).toHaveLength(2);
  });

  test('are changed by PUT; the next one moves with the interval only (O-30)', async () => {
    // There it is seven o'clock now: a second later another morning would be the next.
    await changeDomain({ timezone: 'America/New_York' });
    const [made] = (await make()).json;
    expect(made.next_report).toBe('2026-11-27T12:00:00.000Z');
    edge.nowMs += 1_000;
    const put = (fields: object) => edge.send('PUT', 'report', { id: made.id, ...fields });
    const linked = await put({ interval: 1, link_to: 'dashboard' });
    expect(linked.json).toEqual({ ...made, link_to: 'dashboard', mod_time: LATER });
    const daily = await put({ interval: 0 });
    expect(daily.json).toEqual({
      ...{ ...made, interval: 0, link_to: '', mod_time: LATER },
      next_report: '2026-11-22T12:00:00.000Z',
    });
    expect(await list()).toEqual([daily.json]);
    expect((await edge.send('DELETE', `report?id=${made.id}`)).json).toEqual({});
    expect(await list()).toEqual([]);
  });

  test('have the language that is asked for, else that of who saves them (O-21)', async () => {
    const languages = async () =>
      Object.fromEntries(
        (await list()).map(({ email, language }: Record<string, string>) => [email, language]),
      );
    await make({ emails: ['none@example.org'] });
    await edge.send('PUT', 'user', { language: 'de' }, edge.bearers.account);
    await make({ emails: ['own@example.org', 'none@example.org'] });
    const [asked] = (await make({ emails: ['asked@example.org'], language: ' en ' })).json;
    // What is said of one that is there stays, unless it is said anew.
    expect(await languages()).toEqual({
      ...{ 'none@example.org': '', 'own@example.org': 'de', 'asked@example.org': 'en' },
    });
    const put = (fields: object) =>
      edge.send('PUT', 'report', { id: asked.id, interval: 1, ...fields });
    expect((await put({})).json.language).toBe('en');
    expect((await put({ language: 'de' })).json.language).toBe('de');
    expect((await put({ language: null })).json.language).toBe('de');
    await put({ language: 'en' });
    expect((await put({ language: '' })).json.language).toBe('de');
    const changes = { id: asked.id, interval: 1, language: 'fr' };
    await expectRefused(edge, ['PUT', 'report', changes], ['language']);
    const more = { domain_id: edge.own.id, emails: ['new@example.org'], interval: 1 };
    await expectRefused(edge, ['POST', 'report', { ...more, language: 'DE' }], ['language']);
    expect(Object.keys(await languages())).toHaveLength(3);
  });

  test("come at seven in the morning of the domain's own day (O-30)", async () => {
    await changeDomain({ timezone: 'America/New_York' });
    const [{ next_report }] = (await make({ interval: 0 })).json;
    expect(next_report).toBe('2026-11-21T12:00:00.000Z');
  });

  test('link to what is there', async () => {
    const linked = (link_to: string) => ({
      ...{ domain_id: edge.own.id, emails: ['ada@example.org'], interval: 0, link_to },
    });
    await expectRefused(edge, ['POST', 'report', linked('public')], ['link_to']);
    await expectRefused(edge, ['POST', 'report', linked('custom')], ['link_to']);
    await changeDomain({ isPublic: true, customDomain: 'stats.example.org' });
    const [made] = (await make({ link_to: 'public' })).json;
    expect(made.link_to).toBe('public');
    expect((await make({ link_to: 'custom' })).json[0].link_to).toBe('custom');
    await changeDomain({ isPublic: false, customDomain: null });
    // What was there when it was saved does not hinder another interval.
    const put = { id: made.id, interval: 2, link_to: 'custom' };
    expect((await edge.send('PUT', 'report', put)).json).toMatchObject({ interval: 2 });
    const other = { id: made.id, interval: 2, link_to: 'public' };
    await expectRefused(edge, ['PUT', 'report', other], ['link_to']);
  });

  test('are refused by field, all or none of them', async () => {
    const long = `${'x'.repeat(250)}@example.org`;
    const many = Array.from({ length: 51 }, (_, index) => `a${index}@example.org`);
    const rows: [object, string[]][] = [
      [{ domain_id: undefined }, ['domain_id']],
      [{ domain_id: 5 }, ['domain_id']],
      [{ emails: undefined }, ['emails']],
      [{ emails: 'ada@example.org' }, ['emails']],
      [{ emails: [] }, ['emails']],
      [{ emails: many }, ['emails']],
      [{ emails: ['ada@example.org', 'x', 'bob@example.org', 5] }, ['emails.1', 'emails.3']],
      [{ emails: ['', null, {}, []] }, ['emails.0', 'emails.1', 'emails.2', 'emails.3']],
      [{ emails: ['a@b, c@d', 'a b@c', 'a@b@c', long] }, [0, 1, 2, 3].map((n) => `emails.${n}`)],
      [{ emails: ['ada@example.org', 'ADA@example.org'] }, ['emails.1']],
      [{ interval: undefined }, ['interval']],
      [{ interval: -1 }, ['interval']],
      [{ interval: 53 }, ['interval']],
      [{ interval: 1.5 }, ['interval']],
      [{ interval: '1' }, ['interval']],
      [{ link_to: 'private' }, ['link_to']],
      [{ link_to: 5 }, ['link_to']],
    ];
    for (const [fields, named] of rows) {
      const body = { domain_id: edge.own.id, emails: ['ada@example.org'], interval: 0, ...fields };
      await expectRefused(edge, ['POST', 'report', body], named);
    }
    const [{ id }] = (await make()).json;
    await expectRefused(edge, ['PUT', 'report', { id }], ['interval']);
    await expectRefused(edge, ['PUT', 'report', { id, interval: 60 }], ['interval']);
    await expectRefused(edge, ['PUT', 'report', { id, interval: 0, link_to: 'x' }], ['link_to']);
    expect((await make({ emails: many.slice(1) })).status).toBe(200);
  });

  test(`are at most ${DOMAIN_CHILD_COUNT_MAX} of a domain (M-6)`, async () => {
    const emails = (part: number, count: number) =>
      Array.from({ length: count }, (_, index) => `a${part}.${index}@example.org`);
    for (let part = 0; part < DOMAIN_CHILD_COUNT_MAX / 50; part++) {
      expect((await make({ emails: emails(part, 50) })).status).toBe(200);
    }
    const before = edge.registry.sequence;
    const reply = await make({ emails: ['a0.0@example.org', 'new@example.org'], interval: 3 });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.json)).toContain(String(DOMAIN_CHILD_COUNT_MAX));
    expect(edge.registry.sequence).toBe(before);
  });

  test('are refused for what others have, or nobody (M-4)', async () => {
    const [{ id }] = (await make()).json;
    const { account, foreign } = edge.bearers;
    for (const domain_id of [edge.foreign.id, 'nobody']) {
      const body = { domain_id, emails: ['x@example.org'], interval: 0 };
      await expectUnseen(edge, ['POST', 'report', body, account]);
      await expectUnseen(edge, ['GET', `report?id=${domain_id}`, undefined, account]);
    }
    await expectUnseen(edge, ['PUT', 'report', { id, interval: 0 }, foreign]);
    await expectUnseen(edge, ['DELETE', `report?id=${id}`, undefined, foreign]);
  });
});
