/** Goal: programs are told from people by their user agent (I-15..I-17, I-22). Method: rows. */
import { describe, expect, test } from 'vitest';
import { agentFormVerdict, agentKeywordVerdict } from '../../../src/ingest/agent/bot.ts';
import { BOT_KEYWORDS } from '../../../src/ingest/data/bot-keywords.ts';
import { DROP_REASONS } from '../../../src/model/drop-reasons.ts';

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the form of a user agent', () => {
  test.each([
    ['curl/8.5.0', 'ua-chars'],
    ['x'.repeat(15), 'ua-chars'],
    ['x'.repeat(16), 'ua-chars'],
    ['x'.repeat(17), ''],
    [` ${'x'.repeat(16)} `, 'ua-chars'],
    ['x'.repeat(499), ''],
    ['x'.repeat(500), ''],
    [` ${'x'.repeat(500)} `, ''],
    ['x'.repeat(501), 'ua-chars'],
    [`${BROWSER} é`, 'ua-chars'],
    [`${BROWSER} \u007f`, ''],
    [`${BROWSER} \u0080`, 'ua-chars'],
    ['255.255.255.255:8080', 'ua-ip'],
    ['1.2.3.4', 'ua-chars'],
    ['2001:db8:85a3::8a2e:370:7334', 'ua-ip'],
    ['[2001:db8:85a3::8a2e:370:7334]:80', 'ua-ip'],
    ['255.255.255.256:8080', ''],
    ['123e4567-e89b-12d3-a456-426614174000', 'ua-uuid'],
    ['123E4567-E89B-12D3-A456-426614174000', 'ua-uuid'],
    [' {123e4567-e89b-12d3-a456-426614174000} ', 'ua-uuid'],
    ['123e4567e89b12d3a456426614174000', 'ua-uuid'],
    ['123e4567-e89b-12d3-a456-42661417400', ''],
    ['123e4567-e89b-12d3-a456-42661417400g', ''],
  ])('%j is judged %j (I-15, I-16, I-17)', (userAgent, reason) => {
    expect(DROP_REASONS[agentFormVerdict(userAgent)]).toBe(reason);
  });
});

describe('the words of a user agent', () => {
  test('give GPTBot away (I-22, W-42)', () => {
    const userAgent = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';
    expect(agentFormVerdict(userAgent)).toBe(0);
    expect(DROP_REASONS[agentKeywordVerdict(userAgent)]).toBe('ua-keyword');
  });

  test.each(BOT_KEYWORDS)('give a program away that names %j, in any case (I-22)', (keyword) => {
    const userAgent = `${BROWSER} ${keyword.toUpperCase()} Chrome/121.0.0.0 Safari/537.36`;
    expect(DROP_REASONS[agentKeywordVerdict(userAgent)]).toBe('ua-keyword');
  });

  test.each([
    `${BROWSER} Chrome/121.0.0.0 Safari/537.36`,
    `${BROWSER} Chrome/121.0.0.0 Safari/537.36 Edg/121.0.0.0`,
    `${BROWSER} Chrome/121.0.0.0 Safari/537.36 OPR/107.0.0.0`,
    'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    'Mozilla/5.0 abcdefghijk',
    'MyGreatBrowser/12.0',
    'My Browser (Windows)',
    'AppleTV11,1/11.1 (x)',
    'a'.repeat(17),
    'Mozilla/5.0 (compatible)',
    'visitor number 12345',
  ])('let a person through: %s', (userAgent) => {
    expect(agentFormVerdict(userAgent)).toBe(0);
    expect(agentKeywordVerdict(userAgent)).toBe(0);
  });
});
