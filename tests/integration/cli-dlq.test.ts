import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { ReceiveMessageCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startOperatedStack } from '../helpers/operator.ts';

const WAIT = { timeout: 30_000, interval: 20 };
const farFuture = 4_000_000_000;
const hourMs = 3_600_000;
let stack: Awaited<ReturnType<typeof startOperatedStack>>;

beforeEach(async () => {
  stack = await startOperatedStack();
});

afterEach(() => stack.stop());

const link = (code: string) => ({ PK: `LINK#${code}`, SK: 'META', url: 'https://a.b', clicks: 0 });
const marker = (id: string, code: string, day: string, ttl = farFuture) => ({
  PK: `CLICK#${id}`,
  SK: 'CLICK',
  code,
  day,
  ttl,
});
const click = (id: string, code: string) =>
  JSON.stringify({ id, detail: { code, at: '2026-05-26T10:00:00Z' } });
const poison = (id: string) => JSON.stringify({ id, detail: { at: '2026-05-25T10:00:00Z' } });
const many = (count: number, code: string) =>
  Array.from({ length: count }, () => ({ body: click(randomUUID(), code) }));
const sorted = (bodies: (string | undefined)[]) => bodies.toSorted();
const bodiesOf = (letters: { body: string }[]) => sorted(letters.map(({ body }) => body));

async function drainBodies(url: string) {
  return sorted((await stack.drain(url)).map(({ Body }) => Body));
}

describe('dlq list', () => {
  test('tells the reason that the aggregator would have, for each message', async () => {
    await stack.writeItems([
      link('known'),
      marker('counted', 'known', '2026-05-26'),
      marker('changed', 'known', '2026-05-27'),
      marker('lapsed', 'known', '2026-05-26', 1),
    ]);
    await stack.bury([
      { body: click('fresh', 'known') },
      { body: click('counted', 'known') },
      { body: click('changed', 'known') },
      { body: click('lapsed', 'known') },
      { body: click('lost', 'nowhere') },
      { body: poison('bad-event-1') },
      { body: 'not JSON' },
    ]);

    const { code, stdout } = await stack.run('dlq.ts', ['list', '--json']);

    const letters: Record<string, unknown>[] = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(Object.fromEntries(letters.map(({ body, reason }) => [body, reason]))).toEqual({
      [click('fresh', 'known')]: 'countable',
      [click('counted', 'known')]: 'already-counted',
      [click('changed', 'known')]: 'changed-click',
      [click('lapsed', 'known')]: 'countable',
      [click('lost', 'nowhere')]: 'unknown-link',
      [poison('bad-event-1')]: 'invalid-click',
      'not JSON': 'invalid-click',
    });
    expect(letters.find(({ clickId }) => clickId === 'bad-event-1')).toMatchObject({
      attempts: 0,
      detail: 'expected detail.code to be 4 to 32 letters, digits, "-" or "_"; got nothing',
    });
  });

  test('prints a table, in which a message cannot play with the terminal', async () => {
    await stack.bury([{ body: poison('bad\u001b[2Jid') }]);

    const { stdout, stderr } = await stack.run('dlq.ts', ['list']);

    const [header, row] = stdout.split('\n');
    expect(header).toMatch(/^CLICK ID +CODE +AGE +ATTEMPTS +REASON +DETAIL$/);
    expect(row).toMatch(/^bad\\u\{1b\}\[2Jid +- +\ds +0 +invalid-click +expected detail\.code/);
    expect(stderr).toContain('1 dead letter of the local stack: 1 invalid-click.');
  });

  test('shows each of many messages once, and leaves them all to be received at once', async () => {
    const letters = many(45, 'nowhere');
    await stack.bury(letters);

    const { stdout } = await stack.run('dlq.ts', ['list', '--json']);

    expect(bodiesOf(JSON.parse(stdout))).toEqual(bodiesOf(letters));
    expect(await stack.countVisible(stack.outputs.clickDlqUrl)).toBe(45);
  });

  test('leaves all where they are when nobody reads on', async () => {
    await stack.bury(many(45, 'nowhere'));

    const { child, ended } = stack.start('dlq.ts', ['list']);
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    child.stdout.destroy();

    await expect(ended).rejects.toThrow('Premature close');
    expect(await closed).toEqual([0, null]);
    expect(await stack.countVisible(stack.outputs.clickDlqUrl)).toBe(45);
  });

  test('shows what is asked for by reason, code and age', async () => {
    await stack.writeItems([link('known')]);
    await stack.bury([
      { body: click('young', 'known') },
      {
        body: click('old', 'known'),
        attributes: { FirstSentTimestamp: `${Date.now() - 2 * hourMs}` },
      },
      { body: click('lost', 'nowhere') },
    ]);

    const list = async (...args: string[]) => {
      const { stdout } = await stack.run('dlq.ts', ['list', '--json', ...args]);
      return JSON.parse(stdout).map(({ clickId }: { clickId: string }) => clickId);
    };

    expect(await list('--reason', 'unknown-link')).toEqual(['lost']);
    expect((await list('--code', 'known')).toSorted()).toEqual(['old', 'young']);
    expect(await list('--older-than', '90m')).toEqual(['old']);
    expect(await list('--reason', 'invalid-click', 'changed-click')).toEqual([]);
  });
});

describe('dlq redrive', () => {
  test('moves messages to ClickQueue byte for byte, with their attributes', async () => {
    const odd = '{ "id":"odd",\t"detail": {"code":"known","at":"2026-05-26T10:00:00Z"} } ';
    await stack.writeItems([link('known'), marker('counted', 'known', '2026-05-26')]);
    await stack.bury([
      { body: odd, attributes: { Origin: 'test' } },
      { body: click('counted', 'known') },
      { body: poison('bad-event-1') },
    ]);

    const { code, stdout } = await stack.run('dlq.ts', ['redrive']);

    expect(code).toBe(0);
    expect(stdout).toBe(
      'Moved 3 dead letters to ClickQueue.\n' +
        '  1 to be counted\n' +
        '  1 already counted, which will add nothing\n' +
        '  to fail again, unless something changes: 1 invalid-click\n',
    );
    const moved = await stack.drain(stack.outputs.clickQueueUrl);
    expect(sorted(moved.map(({ Body }) => Body))).toEqual(
      sorted([odd, click('counted', 'known'), poison('bad-event-1')]),
    );
    const { MessageAttributes } = moved.find(({ Body }) => Body === odd) ?? {};
    expect(MessageAttributes?.Origin?.StringValue).toBe('test');
    expect(await drainBodies(stack.outputs.clickDlqUrl)).toEqual([]);
  });

  test('only says what would happen with --dry-run', async () => {
    await stack.writeItems([link('known')]);
    await stack.bury([{ body: click('lost', 'nowhere') }, ...many(11, 'known')]);

    const { stdout } = await stack.run('dlq.ts', ['redrive', '--dry-run']);

    expect(stdout).toBe(
      'Would move 12 dead letters to ClickQueue.\n' +
        '  11 to be counted\n' +
        '  to fail again, unless something changes: 1 unknown-link\n',
    );
    expect(await stack.countVisible(stack.outputs.clickDlqUrl)).toBe(12);
    expect(await stack.countVisible(stack.outputs.clickQueueUrl)).toBe(0);
  });

  test('moves only what is asked for and leaves the rest to be received at once', async () => {
    await stack.writeItems([link('known')]);
    const rest = [...many(12, 'nowhere'), { body: poison('bad-event-1') }];
    await stack.bury([...rest, { body: click('good', 'known') }]);

    await stack.run('dlq.ts', ['redrive', '--reason', 'countable']);

    expect(await drainBodies(stack.outputs.clickQueueUrl)).toEqual([click('good', 'known')]);
    expect(await drainBodies(stack.outputs.clickDlqUrl)).toEqual(bodiesOf(rest));
  });

  test('loses nothing when two people do it at once', async () => {
    const letters = many(60, 'known');
    await stack.bury(letters);

    await Promise.all([stack.run('dlq.ts', ['redrive']), stack.run('dlq.ts', ['redrive'])]);

    expect(await drainBodies(stack.outputs.clickQueueUrl)).toEqual(bodiesOf(letters));
    expect(await drainBodies(stack.outputs.clickDlqUrl)).toEqual([]);
  });

  test('loses nothing when it is interrupted, and goes on when it is run again', async () => {
    const letters = many(30, 'known');
    await stack.bury(letters);
    const { clickQueueUrl, clickDlqUrl } = stack.outputs;

    const { child, ended } = stack.start('dlq.ts', ['redrive', '--rate', '5']);
    await expect.poll(() => stack.countVisible(clickQueueUrl), WAIT).toBeGreaterThan(1);
    child.kill('SIGINT');
    const { code, stdout } = await ended;

    const moved = await stack.countVisible(clickQueueUrl);
    expect([code, await stack.countVisible(clickDlqUrl)]).toEqual([130, 30 - moved]);
    expect(stdout).toContain(`Moved ${moved} dead letters`);
    expect(stdout).toContain('Stopped before the end');
    await stack.run('dlq.ts', ['redrive']);
    expect(await drainBodies(clickQueueUrl)).toEqual(bodiesOf(letters));
  });

  test('deletes nothing that ClickQueue did not take', async () => {
    const large = { body: JSON.stringify({ id: 'large', note: 'x'.repeat(2_000) }) };
    const letters = [...many(3, 'known'), large];
    await stack.bury(letters);
    const { clickQueueUrl, clickDlqUrl } = stack.outputs;
    const Attributes = { MaximumMessageSize: '1024' };
    await stack.sqs.send(new SetQueueAttributesCommand({ QueueUrl: clickQueueUrl, Attributes }));

    const { code, stdout, stderr } = await stack.run('dlq.ts', ['redrive']);

    expect(code).toBe(2);
    expect(stdout).toContain('Moved 3 dead letters');
    expect(stderr).toMatch(/^error: AWS answered: .*InvalidParameterValue: [^\n]*\n$/);
    expect(await drainBodies(clickDlqUrl)).toEqual([large.body]);
    expect(await drainBodies(clickQueueUrl)).toEqual(bodiesOf(letters.slice(0, 3)));
  });

  test('ends although what it moves fails again and comes back', async () => {
    await stack.bury(Array.from({ length: 12 }, (_, index) => ({ body: poison(`bad-${index}`) })));
    const { clickQueueUrl: QueueUrl, clickDlqUrl } = stack.outputs;
    let isOver = false;
    const failEverything = async () => {
      while (!isOver) {
        await stack.sqs.send(
          new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
        );
      }
    };
    const failing = failEverything();

    const { stdout } = await stack.run('dlq.ts', ['redrive', '--rate', '10']);

    expect(stdout).toContain('Moved 12 dead letters');
    await vi.waitFor(async () => expect(await stack.countVisible(clickDlqUrl)).toBe(12), WAIT);
    isOver = true;
    await failing;
  });

  test('keeps when a click first came, and leaves it once its marker may have gone', async () => {
    // Kept 4 days in ClickQueue and 14 in ClickDLQ, so from the 19th day on it is not sent again.
    const first = (days: number) => `${Date.now() - days * 24 * hourMs}`;
    const [young, old] = [first(17), first(19)];
    await stack.bury([
      { body: click('young', 'known'), attributes: { FirstSentTimestamp: young } },
      { body: click('old', 'known'), attributes: { FirstSentTimestamp: old } },
    ]);

    const { stdout } = await stack.run('dlq.ts', ['redrive']);

    expect(stdout).toContain('Left 1 dead letter (1 unknown-link): redriven before');
    const [moved] = await stack.drain(stack.outputs.clickQueueUrl);
    expect(moved?.Body).toBe(click('young', 'known'));
    expect(moved?.MessageAttributes?.FirstSentTimestamp?.StringValue).toBe(young);
    expect(await drainBodies(stack.outputs.clickDlqUrl)).toEqual([click('old', 'known')]);
  });
});

describe('dlq purge', () => {
  const bury = () =>
    stack.bury([
      { body: poison('young') },
      { body: poison('old'), attributes: { FirstSentTimestamp: `${Date.now() - 26 * hourMs}` } },
    ]);

  test('deletes what is older than it is told', async () => {
    await bury();

    const { code, stdout } = await stack.run('dlq.ts', ['purge', '--older-than', '1d', '--yes']);

    expect([code, stdout]).toEqual([0, 'Deleted 1 dead letter.\n']);
    expect(await drainBodies(stack.outputs.clickDlqUrl)).toEqual([poison('young')]);
  });

  test('deletes nothing unless someone says yes', async () => {
    await bury();

    const { code, stderr } = await stack.run('dlq.ts', ['purge', '--older-than', '1d']);

    expect(code).toBe(2);
    expect(stderr).toBe(
      'error: Delete 1 dead letter of the local stack for good (1 invalid-click)? ' +
        'Nobody is there to say yes; add --yes to do it.\n',
    );
    expect(await stack.countVisible(stack.outputs.clickDlqUrl)).toBe(2);
  });
});
