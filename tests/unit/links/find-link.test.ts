import '../../helpers/unreachable-service.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listSpellings } from '../../../lib/links/find-link.ts';
import { startTableOfFunctions } from '../../helpers/scripted-table.ts';

test.each([
  ...['.', ',', ')', ').', '!', '?', ';', ':', '"', "'", '”', '»', '>', ']', '}', '*', '…', '/'],
  ...['。', '、', '」', '）', 'です', '\u200b', '\u00a0', '\ufeff', '\u2060', '👍🏽', '._.', '/)'],
  ...['%22', '%E2%80%9D', '%E2%80%8B', '%29.', '%', '%E2%80', '%25', '%2F'],
])('a path may stand for the code that %j follows', (appended) => {
  expect(listSpellings(`spring${appended}`)).toEqual(['spring']);
});

test.each([
  ['\u200bspring', ['spring']],
  ['%E2%80%8Bspring', ['spring']],
  ['(spring)', ['spring']],
  ['“spring”,', ['spring']],
  ['a_b-c_-.', ['a_b-c_-']],
  ['SPRING', ['SPRING', 'spring']],
  ['Spring', ['Spring', 'spring']],
  ['sPRING.', ['sPRING', 'spring']],
  ...[
    ...['abc', 'abc.', 'wp-login.php', 'index.html', '.env', 'spring/stats', 'spring clone'],
    ...['springсlone', '../etc/passwd', 'a'.repeat(33), '', '…', `spring${'.'.repeat(300)}`],
  ].map((path): [string, string[]] => [path, []]),
])('the path %j may stand for %j', (path, codes) => {
  expect(listSpellings(path)).toEqual(codes);
});

describe('a visit reads', () => {
  const found = { Item: { url: { S: 'https://example.com/' } } };
  const disabled = { Item: { ...found.Item, disabled: { BOOL: true } } };
  const none = {};

  afterEach(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });

  test.each([
    ['once a code with capital letters that exists', 'Spring!', [found], ['Spring'], 'Spring'],
    ['its lower-case form if it does not', 'SPRING', [none, found], ['SPRING', 'spring'], 'spring'],
    ['nothing else if the code is disabled', 'Spring', [disabled], ['Spring'], 410],
    ['an unknown code once', 'spring.', [none, none], ['spring'], 404],
    ['an unknown code twice if it has capital letters', 'Sprin_G', [], ['Sprin_G', 'sprin_g'], 404],
    ['nothing if no link can have the code', 'wp-login.php', [], [], 404],
  ])('%s', async (_, path, answers, reads, result) => {
    const requests = await startTableOfFunctions(...answers);
    const { findLink } = await import('../../../lib/links/find-link.ts');

    const outcome = await findLink(path).catch((error) => error);

    expect(requests).toMatchObject(
      reads.map((code, index) => ({
        Key: { PK: { S: `LINK#${code}` } },
        ConsistentRead: index === 0,
      })),
    );
    expect(outcome.code ?? outcome.statusCode).toBe(result);
  });
});
