// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source text.
import { bug, type PlantedBug } from './function-code.ts';

const click = 'lib/clicks/click.ts';
const breakdowns = 'lib/clicks/breakdowns.ts';
const resolver = 'functions/resolve-link.ts';
const attributes = "...['count', ...breakdowns].map(";
const chosen = 'chooseAttributes(detail, instant)';
const listed = 'return (isKnown && attributes[value]) || attributes.other;';

/** Sends the first number of each updated item in the transaction, and the others after it. */
const raiseLater = `const { ConsumedCapacity } = await withTimeout(deadlineMs, async (abortSignal) => {
      const pick = (given, tokens) =>
        Object.fromEntries(Object.entries(given).filter(([token]) => tokens.includes(token)));
      const part = ({ ConditionExpression, ...update }, additions) => ({
        Update: {
          ...update,
          UpdateExpression: 'ADD ' + additions.join(', '),
          ExpressionAttributeNames: pick(update.ExpressionAttributeNames, additions.join(' ')),
          ExpressionAttributeValues: pick(update.ExpressionAttributeValues, additions.join(' ')),
        },
      });
      const later = [];
      const TransactItems = transaction.items.map((item) => {
        const [first, ...rest] = (item.Update?.UpdateExpression ?? '').replace('ADD ', '').split(', ');
        if (!item.Update || item.Update.ConditionExpression || rest.length === 0) return item;
        later.push(part(item.Update, rest));
        return part(item.Update, [first]);
      });
      const send = (input) =>
        options.client.send(new TransactWriteItemsCommand({ ...command.input, ...input }), { abortSignal });
      const answer = await send({ TransactItems });
      if (later.length > 0) await send({ TransactItems: later, ClientRequestToken: token.slice(1) + 'b' });
      return answer;
    });`;

/** Mistakes with the breakdowns of a day's clicks, and with what is a click at all. */
export const breakdownBugs: PlantedBug[] = [
  bug('a breakdown is not raised', click, attributes, "...['count', ...breakdowns.slice(1)].map("),
  bug(
    'a breakdown is raised twice',
    click,
    attributes,
    "...['count', ...breakdowns, breakdowns[0]].map(",
  ),
  bug(
    'the hour is that of the delivery',
    click,
    chosen,
    'chooseAttributes(detail, new Date(nowMs))',
  ),
  bug(
    "the hour is that of the producer's clock",
    click,
    chosen,
    "chooseAttributes(detail, new Date(`${detail.at.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`))",
  ),
  bug(
    'an unlisted value becomes an attribute',
    breakdowns,
    listed,
    "return attributes[value] ?? (typeof value === 'string' && value ? value : attributes.other);",
  ),
  bug(
    'a click with an unlisted value is refused',
    breakdowns,
    listed,
    "if (!isKnown) throw new Error('expected a listed value');\n  return attributes[value];",
  ),
  bug(
    'what every object inherits is a listed value',
    breakdowns,
    'Object.hasOwn(attributes, value)',
    'value in attributes',
  ),
  bug(
    'a missing value counts as other',
    breakdowns,
    'return attributes.unknown;',
    'return attributes.other;',
  ),
  bug('two values have one attribute', breakdowns, "tablet: 'dt'", "tablet: 'dm'"),
  bug(
    'bots are humans, and humans are bots',
    breakdowns,
    "(isBot ? 'bot' : 'human')",
    "(isBot ? 'human' : 'bot')",
  ),
  bug(
    'the referrer is read from a header that nobody sends',
    'lib/clicks/visit.ts',
    'classifyReferrer(headers.referer,',
    'classifyReferrer(headers.referrer,',
  ),
  bug(
    'only the first click of a transaction raises its breakdowns',
    'packages/powertools-idempotency-transactional/src/transaction.ts',
    'for (const increment of own.increments) {',
    'for (const increment of own.increments.slice(0, update.entries.length > 1 ? 1 : undefined)) {',
  ),
  bug(
    'what is left after peeling loses its breakdowns',
    'packages/powertools-idempotency-transactional/src/commit.ts',
    'return rest.length > 0 ? [firstAttempt(rest, failures)] : [];',
    `for (const { updates } of rest) {
        for (const update of updates) update.increments = update.increments.slice(0, 1);
      }
      return rest.length > 0 ? [firstAttempt(rest, failures)] : [];`,
  ),
  bug(
    'breakdowns are raised after the transaction',
    'packages/powertools-idempotency-transactional/src/send.ts',
    `const { ConsumedCapacity } = await withTimeout(deadlineMs, (abortSignal) =>
      options.client.send(command, { abortSignal }),
    );`,
    raiseLater,
  ),
  bug(
    'the statistics show humans as bots',
    breakdowns,
    'botAttribute = visitor.attributes.bot;',
    'botAttribute = visitor.attributes.human;',
  ),
  bug('HEAD is a click', resolver, "event.requestContext.http.method === 'GET' && ", ''),
  bug('a prefetch is a click', resolver, ' && !isPrefetch(event.headers)', ''),
];
