import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import type { World } from '../world.ts';
import { metaKeyOf } from './standby.ts';

/** The latest writes of earlier invocations arrive within. */
const quietMs = 6 * 3_600_000;

/** Once replication is quiet, the standby has every link, and leads visitors where home does. */
export async function checkStandby(world: World): Promise<void> {
  const { standby, items, plan, time } = world;
  if (!standby) return;
  await time.runUntil(() => standby.isSettled);
  await time.pass(quietMs);
  standby.repair();
  standby.audit.checkEnd(items, standby.items);
  standby.resolver.retireInstances();
  const newCodes = plan.standby?.newLinksAfterMs.map((_, index) => `new-${index}`) ?? [];
  const codes = [...world.codes, ...newCodes];
  let left = codes.length;
  for (const code of codes) {
    // A HEAD isn't a click.
    const event = makeHttpEvent({ pathParameters: { code } }, { method: 'HEAD' });
    standby.resolver.invoke(`last visit of ${code}`, event, (end) => {
      const { statusCode, headers = {} } = Object('answer' in end ? end.answer : {});
      const key = metaKeyOf(code);
      standby.audit.checkAnswer(key, items.get(key), { statusCode, url: headers.location });
      left -= 1;
    });
  }
  await time.runUntil(() => left === 0);
}
