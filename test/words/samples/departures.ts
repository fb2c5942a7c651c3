import type { DepartureList } from '../../../src/domain/queues.ts';
import { namedList } from '../../../src/domain/said.ts';
import { departureWords } from '../../../src/features/departures/operations/departed.ts';
import { announcementMessage } from '../../../src/slack/views/announcement.ts';
import { drawn } from '../../support/as-sent.ts';
import { batchPlanPage } from '../../../src/features/batches/pages/batches.ts';
import { textMessage } from '../../../src/slack/views/blocks/message.ts';
import { suspendRow } from '../../support/builders/rows.ts';
import { dayMs, monday } from '../../support/builders/campaigns.ts';
import type { Sample } from '../sample.ts';

const listed = (when: string, names: readonly string[], mass: DepartureList['mass'] = null): Sample => ({
  when,
  shown: announcementMessage({
    kind: 'departures',
    list: {
      id: 'n-1',
      postedAt: monday + dayMs,
      readers: [],
      people: names.map((name) => ({ userId: name, name, leftAt: monday })),
      mass,
    },
  }),
});

export const samples: readonly Sample[] = [
  listed('People have left Slack', ['Rosa Almeida', 'Kofi Brandt']),
  listed('One of them is left to decide on', ['Rosa Almeida']),
  listed('All of them are decided on', []),
  listed('Many have left Slack', [], { count: 31, of: 120 }),
  {
    when: 'suspend-departed',
    shown: drawn(
      batchPlanPage(
        {
          kind: 'batch',
          operation: 'suspend-departed',
          ...departureWords.suspend(2, 'Slack'),
          rows: [
            suspendRow('u-1', 'Rosa Almeida'),
            suspendRow('u-2', 'Kofi Brandt'),
            { kind: 'none', outcome: { kind: 'skipped', error: departureWords.protected }, name: 'Tom Lindqvist' },
          ],
          approval: 'privileged',
        },
        { id: 'p-1', canStart: true, entered: undefined, timeZone: 'Europe/London', platform: 'Slack' },
      ),
    ),
  },
  { when: 'suspend-departed: nobody', shown: textMessage('ℹ️', departureWords.nobody('Slack')) },
  { when: 'dismiss-departed', shown: textMessage('✅', departureWords.dismissed(namedList(['Rosa Almeida']), 1)) },
  { when: 'A button of a list that is over', shown: textMessage('⚠️', departureWords.over) },
];
