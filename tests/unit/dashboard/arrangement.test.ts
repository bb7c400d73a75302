import { describe, expect, test } from 'vitest';
import { arrange } from '../../../dashboard/state/arrangement.ts';

const link = (code: string, url = 'https://example.com/') => ({
  ...{ code, url, shortUrl: `https://go.example.com/${code}`, disabled: false },
  ...{ createdAt: '2026-05-26T10:00:00.000Z', clicks: 20, people: 0, bots: 0 },
});
const people: Record<string, number> = { spring: 2, docs: 12, blog: 2, apple: 0 };
const links = [
  link('spring', 'https://example.com/Sale?from=go'),
  link('docs', 'https://docs.example.com/'),
  link('blog'),
  link('apple'),
];
const codes = (order: 'newest' | 'people' | 'code', text = '') =>
  arrange(links, { order, text, peopleOf: (code) => people[code] ?? 0 }).map(({ code }) => code);

describe('the links shown', () => {
  test('keep their order, newest first', () => {
    expect(codes('newest')).toEqual(['spring', 'docs', 'blog', 'apple']);
  });

  test('are sorted by people, and those with equally many stay newest first', () => {
    expect(codes('people')).toEqual(['docs', 'spring', 'blog', 'apple']);
  });

  test('are sorted by code', () => {
    expect(codes('code')).toEqual(['apple', 'blog', 'docs', 'spring']);
  });

  test.each([
    ['DOC', ['docs']],
    ['  sale ', ['spring']],
    ['example.com', ['spring', 'docs', 'blog', 'apple']],
    ['go.example.com', []],
    ['.*', []],
  ])('that match %j are those with it in their code or destination', (text, found) => {
    expect(codes('newest', text)).toEqual(found);
  });

  test('are searched and sorted at once, and the list itself stays as it is', () => {
    expect(codes('code', 'o')).toEqual(['apple', 'blog', 'docs', 'spring']);
    expect(codes('people', 'blo')).toEqual(['blog']);
    expect(links[0]?.code).toBe('spring');
  });
});
