import type { PlantedBug } from './planted-bug.ts';

/** The links that this instance did not find. */
const unknownCodes = new Set<string>();

/** Bugs in the service itself: in parsing and counting. */
export const clickBugs: PlantedBug[] = [
  {
    name: 'the key is the messageId',
    kind: 'made up',
    replace: {
      'lib/clicks/records.ts': {
        readRecords: (real) => (event) =>
          real(event).map(({ body, ...record }) => {
            const clickId = `"clickId":${JSON.stringify(record.messageId)}`;
            return { ...record, body: body.replace('"detail":{', `"detail":{${clickId},`) };
          }),
      },
    },
  },
  {
    name: 'a message is refused when it comes again',
    kind: 'needless failure',
    replace: {
      'lib/clicks/records.ts': {
        checkRecord: (real) => (record) => {
          if (record.attributes?.ApproximateReceiveCount !== '1') throw new Error('planted');
          real(record);
        },
      },
    },
  },
  {
    name: 'an error is swallowed',
    kind: 'poison taken for done',
    replace: {
      'functions/aggregate-clicks.ts': {
        handler: (real) =>
          Object.assign(async (...args: Parameters<typeof real>) => {
            await real(...args);
            return { batchItemFailures: [] };
          }, real),
      },
    },
  },
  {
    name: 'the day is that of the delivery',
    kind: 'made up',
    replace: {
      'lib/clicks/click.ts': {
        parseClick:
          (real) =>
          (body, nowMs = Date.now()) => {
            const day = new Date(nowMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
            return { ...real(body, nowMs), day };
          },
      },
    },
  },
  {
    name: 'the link need not exist',
    kind: 'sums',
    replace: {
      'lib/clicks/click.ts': {
        clickEffects: (real) => (click) => {
          const effects = real(click);
          return { increments: effects.increments?.map((one) => ({ ...one, mustExist: false })) };
        },
      },
    },
  },
  {
    name: 'a breakdown is not raised',
    kind: 'breakdowns',
    replace: {
      'lib/clicks/click.ts': {
        clickEffects: (real) => (click) =>
          real({ ...click, breakdowns: click.breakdowns.slice(1) }),
      },
    },
  },
  {
    name: "a link's people are not raised",
    kind: 'breakdowns',
    replace: {
      'lib/clicks/click.ts': {
        clickEffects: (real) => (click) => ({
          increments: real(click).increments?.filter(
            ({ key, attribute }) => key.SK !== 'META' || attribute !== 'vh',
          ),
        }),
      },
    },
  },
  {
    name: 'an unlisted value becomes an attribute',
    kind: 'a new attribute',
    replace: {
      'lib/clicks/breakdowns.ts': {
        chooseAttributes: (real) => (detail, instant) =>
          real(detail, instant).map((attribute) =>
            attribute === 'do' ? `${detail.device}` : attribute,
          ),
      },
    },
  },
  {
    name: 'the metrics count a batch twice',
    kind: 'metrics',
    replace: {
      'lib/clicks/report.ts': {
        reportBatch: (real) => (results, maxReceiveCount) =>
          real([...results, ...results], maxReceiveCount),
      },
    },
  },
  {
    name: 'the way past the bus has another click id',
    kind: 'counted twice',
    replace: {
      'lib/clicks/click-event.ts': {
        toBusEntry: (real) => (busName, detail, source) =>
          real(busName, { ...detail, clickId: `${detail.clickId}-bus` }, source),
      },
    },
  },
  {
    name: 'a prefetch is a click',
    kind: 'made up',
    replace: { 'lib/clicks/purpose.ts': { readPurpose: () => () => 'click' } },
  },
  {
    name: 'the resolver remembers that there is no such link',
    kind: 'not found',
    replace: {
      'lib/links/read-url.ts': {
        readUrl: (real) => async (code) => {
          if (unknownCodes.has(code)) return undefined;
          const url = await real(code);
          if (url === undefined) unknownCodes.add(code);
          return url;
        },
      },
    },
  },
  {
    name: 'the statistics count too many',
    kind: 'statistics',
    replace: {
      'lib/clicks/breakdown-sums.ts': {
        listBreakdowns: (real) => (numbers, count) => real(numbers, count + 1),
      },
    },
  },
  {
    name: 'a visitor is redirected without a click',
    kind: 'vanished',
    replace: { 'lib/clicks/publish-click.ts': { publishClick: () => async () => {} } },
  },
];
