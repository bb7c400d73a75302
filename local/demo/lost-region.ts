import { isDeepStrictEqual } from 'node:util';
import { pollUntil } from '../engines/poll-until.ts';
import { linkUrl } from '../service-client.ts';
import type { LocalStack } from '../stack/stack.ts';
import { type Play, waitForClicks } from './real-tests.ts';

const replicationTimeoutMs = 60_000;
/** A message that was on its way when the Region went comes again after the visibility timeout. */
const returnTimeoutMs = 180_000;

interface Regions {
  home: NonNullable<LocalStack['home']>;
  /** Reads a link's item in the standby's table. */
  readStandby(code: string): Promise<Record<string, unknown> | undefined>;
}

/** Shows that a link redirects while its home Region is gone, and that its clicks count afterwards. */
export async function loseHomeRegion(
  { service, narrator }: Omit<Play, 'code'>,
  { home, readStandby }: Regions,
): Promise<void> {
  const { title, tell, check } = narrator;
  /** Waits until a link in the standby's table has these fields, and returns the seconds. */
  const waitForStandby = async (code: string, fields: object): Promise<string> => {
    const startMs = performance.now();
    const hasFields = async () => isMatch(await readStandby(code), fields);
    await pollUntil(hasFields, { timeoutMs: replicationTimeoutMs });
    return ((performance.now() - startMs) / 1000).toFixed(1);
  };
  const open = async (code: string) => {
    const { status, location } = await service.openLink(code);
    tell(`GET /${code} answered ${status} and redirects to ${location}.`);
    return status;
  };

  title('1. The standby gets a new link');
  const code = await service.createLink();
  tell(`POST /links created the link ${code} in the home Region.`);
  tell(`The standby's table has it after ${await waitForStandby(code, { url: linkUrl })} s.`);
  check('The link redirects.', await open(code), 302);
  const before = await waitForClicks(service, code, 1);
  check('It has 1 click.', before.clicks, 1);

  title('2. The home Region is gone');
  home.takeAway();
  tell('Its API, functions, table, queues and bus do not answer any more.');
  for (let visit = 1; visit <= 3; visit += 1) {
    check('The link redirects.', await open(code), 302);
  }
  const problem = await service.createLink().catch(({ message }: Error) => message);
  tell(`Links can't be created, because only the home Region has the API: ${`${problem}`.trim()}`);

  title('3. The home Region is back');
  home.bringBack();
  tell("The standby's bus delivers the clicks that waited …");
  const after = await waitForClicks(service, code, before.clicks + 3, returnTimeoutMs);
  check('The 3 visits count once each.', after.clicks - before.clicks, 3);

  title('4. A take-down reaches the standby');
  await service.disableLink(code);
  const seconds = await waitForStandby(code, { disabled: true });
  check(
    `The standby's table has it after ${seconds} s.`,
    isMatch(await readStandby(code), { disabled: true }),
    true,
  );
  tell('As at home, functions that have just read the link redirect for up to 30 s more.');
}

function isMatch(item: Record<string, unknown> | undefined, fields: object): boolean {
  return Object.entries(fields).every(([name, value]) => isDeepStrictEqual(item?.[name], value));
}
