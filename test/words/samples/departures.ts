import type { DepartureEnd, DepartureNotice, NoticedPerson } from '../../../src/domain/departure.ts';
import { namedList } from '../../../src/domain/sentence.ts';
import { departureWords } from '../../../src/features/departures/operations/departure-words.ts';
import { people } from '../../../src/sandbox/workspace/people.ts';
import { departuresMessage } from '../../../src/slack/views/users/departures.ts';
import { batchPlanMessage } from '../../../src/slack/views/batches/batch-plan.ts';
import { textMessage } from '../../../src/slack/views/blocks/message.ts';
import { suspendRow } from '../../support/builders/rows.ts';
import { dayMs, monday } from '../../support/builders/campaigns.ts';
import type { Sample } from '../sample.ts';

const person = (name: string, end?: DepartureEnd): NoticedPerson => ({
  userId: name,
  name,
  at: monday,
  ...(end && { end }),
});
type Content = DepartureNotice extends infer Notice
  ? Notice extends DepartureNotice
    ? Omit<Notice, 'id' | 'postedAt' | 'readers'>
    : never
  : never;
const noticed = (when: string, content: Content): Sample => ({
  when,
  shown: departuresMessage({
    kind: 'departures',
    notice: { id: 'n-1', postedAt: monday + dayMs, readers: [], ...content },
    timeZone: 'UTC',
  }),
});

export const samples: readonly Sample[] = [
  noticed('People have left Slack', { kind: 'proposal', people: [person('Rosa Almeida'), person('Kofi Brandt')] }),
  noticed('Some of them are decided on', {
    kind: 'proposal',
    people: [
      person('Rosa Almeida'),
      person('Kofi Brandt', { kind: 'back' }),
      person('Mei Tanaka', { kind: 'suspended' }),
      person('Ana Costa', { kind: 'deleted' }),
      person('Omar Said', { kind: 'dismissed', by: people.ada.id }),
    ],
  }),
  noticed('All of them are suspended', { kind: 'proposal', people: [person('Rosa Almeida', { kind: 'suspended' })] }),
  noticed('Nobody decided', { kind: 'proposal', people: [person('Rosa Almeida', { kind: 'expired' })] }),
  noticed('People are back in Slack', {
    kind: 'return',
    people: [person('Rosa Almeida'), person('Kofi Brandt', { kind: 'reinstated' })],
  }),
  noticed('They left again', { kind: 'return', people: [person('Rosa Almeida', { kind: 'left again' })] }),
  noticed('Many are deactivated within a day', { kind: 'mass', count: 31, of: 120 }),
  {
    when: 'suspend-departed',
    shown: batchPlanMessage({
      kind: 'preview',
      id: 'p-1',
      canStart: true,
      plan: {
        kind: 'batch',
        operation: 'suspend-departed',
        action: departureWords.suspend(2, 'Slack'),
        rows: [
          suspendRow('u-1', 'Rosa Almeida'),
          suspendRow('u-2', 'Kofi Brandt'),
          { kind: 'none', outcome: { kind: 'skipped', error: departureWords.protected }, name: 'Tom Lindqvist' },
        ],
        approval: 'privileged',
      },
    }),
  },
  { when: 'suspend-departed: nobody', shown: textMessage('ℹ️', departureWords.nobody('Slack')) },
  { when: 'dismiss-departed', shown: textMessage('✅', departureWords.dismissed(namedList(['Rosa Almeida']), 1)) },
  { when: 'A button of a proposal that is over', shown: textMessage('⚠️', departureWords.over) },
];
