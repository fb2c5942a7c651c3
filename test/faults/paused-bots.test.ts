import { describe, expect, test } from 'vitest';
import { balancers, pauseBots } from '../support/paused-bots.ts';
import { redisMissing } from '../support/redis.ts';

describe.concurrent('Both bots stand still for 12 seconds, as on a frozen host, and then', () => {
  test.for(Object.entries(balancers))(
    'both are well, and no command is refused behind %s',
    async ([, { missing, start }], { skip }) => {
      const reason = missing ?? redisMissing;
      skip(reason !== null, reason ?? '');
      const { commands, failed, health } = await pauseBots(start, { pauseMs: 12_000 });
      expect(commands).toBeGreaterThan(10);
      expect(failed).toEqual([]);
      expect(health).toEqual([200, 200]);
    },
  );
});
