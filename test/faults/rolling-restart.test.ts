import { describe, expect, test } from 'vitest';
import { rollingRestart } from '../support/kills/loads/commands-and-webhooks.ts';
import { runAndPrintKills, seedOr, whole } from '../support/kills/print-kills.ts';
import { startBalancer } from '../support/balancer.ts';
import { haproxyMissing, startHaproxy } from '../support/haproxy.ts';
import { redisMissing } from '../support/redis.ts';

const options = { store: 'redis', instances: 2, kills: 2, seed: seedOr(20_261_124) } as const;

describe.skipIf(redisMissing !== null).concurrent('A rolling restart of two instances under load', () => {
  test.each(['http', 'socket'] as const)(
    'in %s mode leaves no command unanswered, and loses and repeats no webhook',
    async (mode) => {
      // What is sent at the moment of a close is out of the bot's hands, and moments are longer on a busy machine.
      const start = haproxyMissing === null ? startHaproxy : startBalancer;
      const restart = rollingRestart({ mode, perSecond: 20, failingShare: 0.05, start });
      expect(await runAndPrintKills(options, restart)).toEqual(whole);
    },
  );
});
