import { pollUntil } from '../engines/poll-until.ts';
import type { LocalStack } from '../stack/stack.ts';
import { type Play, waitForClicks } from './real-tests.ts';

const replicationTimeoutMs = 60_000;

interface Regions {
  home: NonNullable<LocalStack['home']>;
  /** The API's address in the standby's Region. */
  standbyApi: string;
}

/** Shows that a link redirects while its home Region is gone, and that its clicks count afterwards. */
export async function loseHomeRegion(
  { service, narrator }: Omit<Play, 'code'>,
  { home, standbyApi }: Regions,
): Promise<void> {
  const { title, tell, check } = narrator;
  /** Waits until the standby answers with a status, and returns the seconds. */
  const waitForStandby = async (code: string, status: number): Promise<string> => {
    const startMs = performance.now();
    const hasAnswer = async () => (await service.openLink(code, standbyApi)).status === status;
    await pollUntil(hasAnswer, { timeoutMs: replicationTimeoutMs });
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
  // This visit counts, too.
  const seconds = await waitForStandby(code, 302);
  check(`After ${seconds} s, the standby redirects ${code}.`, await open(code), 302);
  const before = await waitForClicks(service, code, 2);
  check('The visits of both Regions are counted: 2 clicks.', before.clicks, 2);

  title('2. The home Region is gone');
  home.takeAway();
  tell('Its API, functions, table, queues and bus do not answer any more.');
  for (let visit = 1; visit <= 3; visit += 1) {
    check('The link redirects.', await open(code), 302);
  }
  const problem = await service.createLink().catch(({ message }: Error) => message);
  tell(`Links can't be created, because only the home Region has the API: ${problem}`);

  title('3. The home Region is back');
  home.bringBack();
  tell("The standby's bus delivers the clicks that waited.");
  const after = await waitForClicks(service, code, before.clicks + 3);
  check('The 3 visits count once each.', after.clicks - before.clicks, 3);

  title('4. A take-down reaches the standby');
  await service.disableLink(code);
  check(
    `After ${await waitForStandby(code, 410)} s, the standby says that ${code} is disabled.`,
    (await service.openLink(code, standbyApi)).status,
    410,
  );
}
