// Goal: a row leads to a page of the web, or nowhere, whatever visitors sent (D-12).
// Method: addresses that are none of a page.
import { expect, test } from 'vitest';
import { type Opens, pageOf } from '../../src/dashboard/app/site/panels/page-link.ts';

const tab = (opens: Opens) => ({ opens });

test.each([
  ['/a b?c#d', 'https://shop.example/a%20b?c#d'],
  ['//evil.example/', 'https://shop.example//evil.example/'],
  ['@evil.example', null],
  ['.evil.example', null],
  ['javascript:alert(1)', null],
  ['', null],
])('the path %j opens %j (D-12)', (path, address) => {
  expect(pageOf(tab('path'), { path }, 'shop.example')).toBe(address);
});

test.each([
  ['https://blog.example/a', 'https://blog.example/a'],
  ['http://blog.example/', 'http://blog.example/'],
  ['javascript:alert(1)//', null],
  ['data:text/html,<script>', null],
  ['https://user@evil.example/', null],
  ['blog', null],
])('the referrer %j opens %j (D-12)', (referrer, address) => {
  expect(pageOf(tab('url'), { referrer }, 'shop.example')).toBe(address);
});

test('a hostname opens itself, a text that is none nothing (D-12)', () => {
  expect(pageOf(tab('hostname'), { hostname: 'shop.example' }, 'x')).toBe('https://shop.example/');
  expect(pageOf(tab('hostname'), { hostname: 'evil.example/?' }, 'x')).toBe(null);
  expect(pageOf({}, { hostname: 'shop.example' }, 'x')).toBe(null);
});
