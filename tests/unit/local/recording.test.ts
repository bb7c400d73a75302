import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { projectDir } from '../../../local/engines/serverless.ts';
import { recordSession, type Take, tidy } from '../../../local/recording/session.ts';
import { drawTerminal } from '../../../local/recording/svg.ts';
import { wrapLine } from '../../../local/recording/terminal-text.ts';
import { createTimeline } from '../../../local/recording/timeline.ts';
import { createTestDir } from '../../helpers/test-dir.ts';

const takes: Take[] = [
  { title: 'First', command: 'npm start', lines: ['Starting …', '\u001b[32m✔\u001b[39m Ready'] },
  { title: 'Then', command: 'npm run send -- <&>', lines: ['Sent.'], cutSeconds: 90 },
];
const columns = 40;
const screen = { title: 'A <recording>', columns, visibleRows: 5 };

const textOf = (runs: { text: string }[]) => runs.map(({ text }) => text).join('');

describe('a line of output', () => {
  test('keeps its styles', () => {
    const rows = wrapLine('\u001b[1m\u001b[32mOK\u001b[39m\u001b[22m, \u001b[2mdone\u001b[0m.', 80);

    expect(rows).toEqual([
      [
        { text: 'OK', style: 'bold green' },
        { text: ', ', style: '' },
        { text: 'done', style: 'dim' },
        { text: '.', style: '' },
      ],
    ]);
  });

  test('that is too long breaks at a space and continues indented', () => {
    expect(wrapLine('one two three four', 10).map(textOf)).toEqual([
      'one two',
      '  three',
      '  four',
    ]);
  });

  test('without a space breaks at the last column', () => {
    expect(wrapLine('abcdefghij', 4).map(textOf)).toEqual(['abcd', '  ef', '  gh', '  ij']);
  });

  test('loses no character but spaces, and fits, however wide it is', () => {
    const line = `{"id":"${'x'.repeat(90)}"} ${'word '.repeat(30)}`;

    const rows = wrapLine(line, columns).map(textOf);

    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(columns);
    expect(rows.join('').replaceAll(' ', '')).toBe(line.replaceAll(' ', ''));
  });
});

describe('the output of a command', () => {
  const shown = (output: string, show?: RegExp) =>
    tidy(output, 4711, show).map((line) => stripVTControlCharacters(line));

  test('has no token', () => {
    const token = `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(20)}`;

    expect(shown(`export TOKEN=${token}`)).toEqual(['export TOKEN=<token>']);
  });

  test('has the port and the folder of a newcomer', () => {
    expect(shown(`http://127.0.0.1:4711/spring ${projectDir}/lib\n`)).toEqual([
      'http://127.0.0.1:3000/spring ~/click-tally/lib',
    ]);
  });

  test('is shortened to the lines to show, and says so', () => {
    expect(shown('HTTP/1.1 302 Found\r\nDate: now\r\nlocation: /x\r\n', /^HTTP|^loc/)).toEqual([
      'HTTP/1.1 302 Found',
      'location: /x',
      '…',
    ]);
    expect(shown('all\nshown')).toEqual(['all', 'shown']);
  });
});

describe('a session', () => {
  const { signal } = new AbortController();
  const record = (step: object) =>
    recordSession([{ title: 'Title', command: 'true', ...step }], 4711, signal);

  test('records what a command prints, errors included', async () => {
    const [take] = await record({ command: 'echo one; echo two >&2' });

    expect(take).toEqual({
      title: 'Title',
      command: 'echo one; echo two >&2',
      lines: ['one', 'two'],
    });
  });

  test('runs a command on its own port, and shows the usual one', async () => {
    const [take] = await record({
      command: "echo 'http://127.0.0.1:3000/' | sed s/4711/own:4711/",
    });

    expect(take?.lines).toEqual(['http://127.0.0.1:own:3000/']);
  });

  test('repeats a command until it prints what the recording waits for', async () => {
    await using dir = await createTestDir();
    const [file, until] = [path.join(dir.path, 'runs'), /2/];

    const [take] = await record({ command: `echo >> ${file}; wc -l < ${file}`, until });

    expect(take?.lines).toEqual(['2']);
  });

  test('stops a program that keeps running when the session ends', async () => {
    const command = 'echo ready; exec sleep 600';

    const [take] = await record({ command, until: /ready/, keepsRunning: true });

    expect(take?.lines).toEqual(['ready']);
  });

  test('says how long a wait was that the recording leaves out', async () => {
    const [take] = await record({ cutsWait: true });

    expect(take?.cutSeconds).toBe(0);
  });

  test('fails if a program ends that should keep running', async () => {
    const failing = record({ command: 'echo no', until: /ready/, keepsRunning: true });

    await expect(failing).rejects.toThrow(/to print \/ready\/; got:\nno$/);
  });

  test('fails if a command fails that it would repeat', async () => {
    const failing = record({ command: 'echo no stack; false', until: /2 clicks/ });

    await expect(failing).rejects.toThrow(/to print \/2 clicks\/; got:\nno stack$/);
  });

  test('fails if a command fails', async () => {
    const failing = record({ command: 'echo broken; false' });

    await expect(failing).rejects.toThrow(/to succeed; got:\nbroken$/);
  });
});

describe('the timeline', () => {
  const { rows, durationMs } = createTimeline(takes, columns);

  test('has every row in the order of the session', () => {
    expect(rows.map(({ runs }) => textOf(runs))).toEqual([
      '# First',
      '$ npm start',
      'Starting …',
      '✔ Ready',
      '',
      '[about 90 s cut]',
      '# Then',
      '$ npm run send -- <&>',
      'Sent.',
      '',
      '$ ',
    ]);
  });

  test('never goes back, types only commands, and pauses at the end', () => {
    const times = rows.map(({ atMs }) => atMs);
    const isTyped = rows.map(
      ({ atMs, typingMs = 0 }, index) => (times[index + 1] ?? durationMs) >= atMs + typingMs,
    );

    expect(isTyped).not.toContain(false);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(rows.filter(({ typingMs }) => typingMs).map(({ runs }) => textOf(runs))).toEqual([
      '$ npm start',
      '$ npm run send -- <&>',
    ]);
    expect(durationMs - (times.at(-1) ?? 0)).toBeGreaterThanOrEqual(3_000);
  });
});

describe('the picture', () => {
  const timeline = createTimeline(takes, columns);
  const svg = drawTerminal(timeline, screen);

  test('is well-formed, whatever the commands print', () => {
    const content = svg.replace(/<style>.*?<\/style>/s, '');
    const withoutTags = content.replaceAll(/<\/?[a-zA-Z]+(\s+[\w:-]+="[^"<]*")*\s*\/?>/g, '');

    expect(withoutTags).not.toMatch(/[<>]/);
    expect(svg).toContain('$ npm run send -- &lt;&amp;&gt;');
    expect(svg).toContain('<title id="title">A &lt;recording&gt;</title>');
  });

  test('keeps the columns of a table apart', () => {
    const table = createTimeline([{ title: 'T', command: 'c', lines: ['ID      CODE'] }], columns);

    expect(drawTerminal(table, screen)).toContain('>ID      CODE<');
    expect(svg).toMatch(/\ntext\{[^}]*white-space:pre;/);
  });

  test('loads nothing and runs no script', () => {
    expect(svg).not.toMatch(/<script|\bhref=|url\(|@import|@font-face/);
  });

  test('hides each row until its time', () => {
    const at = (name: number | undefined) =>
      Number(new RegExp(`@keyframes at-${name}\\{0%\\{opacity:0\\}([\\d.]+)%`).exec(svg)?.[1]);
    const times = [...new Set(timeline.rows.map(({ atMs }) => atMs))].filter((ms) => ms > 0);

    const percents = times.map(at);

    expect(percents).toEqual(
      times.map((ms) => expect.closeTo((ms / timeline.durationMs) * 100, 1)),
    );
  });

  test('is the last moment, scrolled to its end, for readers who want no motion', () => {
    expect(svg).toContain('@media (prefers-reduced-motion:reduce){*{animation:none!important}}');
    const still = svg.replaceAll(/@keyframes [\w-]+\{(?:[^{}]*\{[^{}]*\})*\}/g, '');

    // 11 rows of 20 pixels each, in a window of 5.
    expect(still).toContain('#scroll{transform:translateY(-120px)');
    expect([...still.matchAll(/[^\s}]+\{[^}]*opacity:0/g)].map(String)).toEqual([
      '.typing{opacity:0',
    ]);
  });
});
