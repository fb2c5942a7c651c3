import { describe, expect, test } from 'vitest';
import type { CampaignMessage, QueueEntry } from '../../../src/domain/queues.ts';
import { inEnglish } from '../../../src/domain/said.ts';
import {
  dueMessages,
  isForRespondent,
  isOptional,
  personAnnouncement,
  pickAtOnce,
} from '../../../src/features/delivery/due-messages.ts';
import { submission } from '../../support/builders/alerts.ts';

type Content = QueueEntry['content'];
type Of<Kind extends CampaignMessage['kind']> = Partial<Extract<CampaignMessage, { kind: Kind }>>;

/** A time in the week of Monday, 23 November 2026, whose Wednesday is a holiday. */
const on = (day: number, time: string) => Date.parse(`2026-11-${day}T${time}:00Z`);
/** Monday, 10:00. */
const now = on(23, '10:00');

let lastPosition = 0;
const entry = (content: Content, at = now): QueueEntry => ({
  position: (lastPosition += 1),
  subscriptionId: 'campaigns',
  at,
  content,
});
const noticed = (campaignId: string, more: Of<'campaign-notice'> = {}) =>
  ({
    kind: 'campaign-notice',
    campaignId,
    quizId: `q-${campaignId}`,
    quizName: campaignId,
    by: 'UTOM',
    dueAt: null,
    isReminder: true,
    ...more,
  }) as const;
const escalated = (campaignId: string, more: Of<'campaign-escalation'> = {}) =>
  ({
    kind: 'campaign-escalation',
    campaignId,
    quizName: campaignId,
    dueAt: null,
    names: ['Kim'],
    missing: 1,
    ...more,
  }) as const;
const notice = (campaignId: string, at = now, more: Of<'campaign-notice'> = {}) => entry(noticed(campaignId, more), at);
const first = (campaignId: string, at = now) => notice(campaignId, at, { isReminder: false });
const due = (dueAt: number, campaignId = 'Fire') => notice(campaignId, now, { dueAt });
const escalation = (campaignId: string, at = now) => entry(escalated(campaignId), at);
const list = (campaignId: string, at = now) =>
  entry({ kind: 'campaign-reports', campaignId, quizName: campaignId }, at);
const asking = (campaignId: string) =>
  entry({ kind: 'note', campaignId, untilTakenIn: true, note: { heading: 'Kim joined' } });
const week = (at: number) => entry({ kind: 'week' }, at);
const note = entry({ kind: 'note', note: { heading: 'Done' } });

type Times = Partial<Parameters<typeof dueMessages>[1]>;

/** The kind and campaigns of what comes now, or when the next comes. */
function next(entries: readonly QueueEntry[], times: Times): string {
  const chosen = dueMessages(entries, {
    now,
    timeZone: 'UTC',
    noticedAt: undefined,
    listedAt: undefined,
    askedAt: undefined,
    holidays: new Set(['2026-11-25']),
    running: [],
    ...times,
  });
  if ('waitUntil' in chosen) return new Date(chosen.waitUntil).toISOString().slice(5, 16);
  const [one] = chosen.entries;
  const campaigns = chosen.entries.map(({ content }) => ('campaignId' in content ? content.campaignId : ''));
  return `${one?.content.kind} ${campaigns.join('+')}`.trim();
}

describe('of the messages that come in working hours', () => {
  test.each<[what: string, entries: QueueEntry[], times: Times, next: string]>([
    [
      'the message of Monday is first',
      [asking('A'), notice('A'), list('A'), escalation('A'), week(on(22, '00:00'))],
      {},
      'week',
    ],
    [
      'then all escalations',
      [asking('A'), notice('A'), list('A'), escalation('A'), escalation('B')],
      {},
      'campaign-escalation A+B',
    ],
    ['then the list of late people', [asking('A'), notice('A'), list('A')], {}, 'campaign-reports A'],
    ['then all notices', [asking('A'), notice('A'), asking('B'), notice('B')], {}, 'campaign-notice A+B'],
    ['then all who wait to be taken in', [asking('A'), asking('B')], {}, 'note A+B'],

    ['all wait for the morning', [notice('A')], { now: on(23, '18:00') }, '11-24T09:00'],
    ['all wait for the end of a holiday', [notice('A')], { now: on(24, '18:00') }, '11-26T09:00'],
    ['all wait for the morning of the person', [notice('A')], { timeZone: 'America/New_York' }, '11-23T14:00'],

    ['notices wait for the day after the last', [notice('A')], { noticedAt: on(23, '09:00') }, '11-24T09:00'],
    ['notices come the day after the last', [notice('A')], { noticedAt: on(22, '23:59') }, 'campaign-notice A'],
    ['notices come where the clock was set back', [notice('A')], { noticedAt: now + 1 }, 'campaign-notice A'],
    ['notices wait for no other kind', [notice('A')], { askedAt: now, listedAt: now }, 'campaign-notice A'],
    [
      'what is due today comes before its time',
      [due(on(23, '17:00'))],
      { noticedAt: on(23, '09:00') },
      'campaign-notice Fire',
    ],
    [
      'what is due when tomorrow’s come, too',
      [due(on(24, '09:00'))],
      { noticedAt: on(23, '09:00') },
      'campaign-notice Fire',
    ],
    ['what is due after that waits', [due(on(24, '09:01'))], { noticedAt: on(23, '09:00') }, '11-24T09:00'],
    ['what was due waits', [due(now)], { noticedAt: on(23, '09:00') }, '11-24T09:00'],
    [
      'what is due first counts',
      [due(now - 1), due(on(24, '12:00')), due(on(23, '17:00'))],
      { noticedAt: on(23, '09:00') },
      'campaign-notice Fire+Fire+Fire',
    ],

    ['people ask once a day', [asking('A')], { askedAt: on(23, '09:00') }, '11-24T09:00'],
    ['people ask also after notices', [asking('A')], { noticedAt: on(23, '09:00') }, 'note A'],
    [
      'escalations come also after notices',
      [escalation('A')],
      { noticedAt: on(23, '09:00'), askedAt: now },
      'campaign-escalation A',
    ],

    [
      'a manager gets a list on the same day of the next week',
      [list('A')],
      { listedAt: on(16, '15:00') },
      'campaign-reports A',
    ],
    ['a manager gets none before', [list('A')], { listedAt: on(17, '00:00') }, '11-24T09:00'],
    ['a manager gets one where the clock was set back', [list('A')], { listedAt: now + 1 }, 'campaign-reports A'],
    [
      'the first of several turns is waited for',
      [list('A'), notice('A')],
      { listedAt: on(19, '09:00'), noticedAt: now },
      '11-24T09:00',
    ],
  ])('%s', (_, entries, times, expected) => {
    expect(next(entries, times)).toBe(expected);
  });

  const two = { running: ['A', 'B'] };

  test.each<[what: string, entries: QueueEntry[], times: Times, next: string]>([
    ['reminders of one campaign wait for another', [notice('A')], two, '11-23T10:02'],
    ['lists and escalations do, too', [list('A', now - 1), escalation('A')], two, '11-23T10:01'],
    ['not for longer', [notice('A', on(23, '09:58'))], two, 'campaign-notice A'],
    ['not for longer than the first of them may', [notice('A', on(23, '09:59')), notice('A')], two, '11-23T10:01'],
    ['not where the other is there', [notice('A'), notice('B')], two, 'campaign-notice A+B'],
    ['not where no other runs', [notice('A')], { running: ['A'] }, 'campaign-notice A'],
    [
      'not past the end of the day',
      [notice('A', on(23, '17:58'))],
      { ...two, now: on(23, '17:58') },
      'campaign-notice A',
    ],
    ['until the end of the day', [notice('A', on(23, '17:57'))], { ...two, now: on(23, '17:57') }, '11-23T17:59'],
    ['not after a night', [notice('A', on(23, '08:59'))], { ...two, now: on(23, '09:00') }, 'campaign-notice A'],
    ['not where the clock was set back', [notice('A', now + 1)], two, 'campaign-notice A'],
    ['not with the first message of a campaign that somebody starts', [first('A')], two, 'campaign-notice A'],
    [
      'but with one that begins with the day',
      [first('A', on(23, '09:00'))],
      { ...two, now: on(23, '09:00') },
      '11-23T09:02',
    ],
    ['or soon after', [first('A', on(23, '09:01'))], { ...two, now: on(23, '09:01') }, '11-23T09:03'],
    ['not later than that', [first('A', on(23, '09:02'))], { ...two, now: on(23, '09:02') }, 'campaign-notice A'],
  ])('%s', (_, entries, times, expected) => {
    expect(next(entries, times)).toBe(expected);
  });

  const sunday = week(on(22, '00:00'));

  test.each<[what: string, entries: QueueEntry[], times: Times, next: string]>([
    ['comes when escalations are there', [sunday], { now: on(22, '12:00') }, '11-23T09:02'],
    ['comes then', [sunday], { now: on(23, '09:02') }, 'week'],
    [
      'comes in the morning of the person',
      [sunday],
      { now: on(22, '12:00'), timeZone: 'Pacific/Auckland' },
      '11-22T20:02',
    ],
    [
      'comes in the person’s morning, in the west',
      [sunday],
      { now: on(22, '12:00'), timeZone: 'America/Los_Angeles' },
      '11-23T17:02',
    ],
    ['of a Monday comes that day', [week(on(23, '00:00'))], { now: on(23, '08:00') }, '11-23T09:02'],
    ['of a Tuesday comes in the next week', [week(on(17, '00:00'))], { now: on(18, '12:00') }, '11-23T09:02'],
    ['comes after a holiday', [sunday], { now: on(22, '12:00'), holidays: new Set(['2026-11-23']) }, '11-24T09:02'],
    ['that is late comes the next morning', [sunday], { now: on(23, '19:00') }, '11-24T09:00'],
    ['is that of the last week', [week(on(15, '00:00')), sunday], { now: on(22, '12:00') }, '11-23T09:02'],
    [
      'has the escalations of its morning wait for it',
      [sunday, escalation('A')],
      { now: on(23, '09:00') },
      '11-23T09:02',
    ],
    ['has no others wait', [week(on(27, '00:00')), escalation('A')], { now: on(27, '10:00') }, 'campaign-escalation A'],
    ['has no notices wait', [sunday, notice('A')], { now: on(23, '09:00') }, 'campaign-notice A'],
  ])('the message of Monday %s', (_, entries, times, expected) => {
    expect(next(entries, times)).toBe(expected);
  });
});

test('a message that comes at any time is picked at once, or what may be there already', () => {
  const [timed, ask, other] = [notice('A'), asking('A'), entry({ kind: 'note', note: { heading: 'Later' } })];
  const inFlight = { id: 'm', startedAt: now, positions: [timed.position, other.position] };
  expect(pickAtOnce([timed, ask, note, other], undefined)).toEqual([note]);
  expect(pickAtOnce([timed, ask, escalation('A'), list('A'), week(now)], undefined)).toEqual([]);
  expect(pickAtOnce([timed, ask, note, other], inFlight)).toEqual([timed, other]);
});

const assigned: Content = { kind: 'assigned', quizId: 'q-1', quizName: 'Fire', by: 'UTOM' };
const password: Content = { kind: 'own-password', by: 'UTOM', of: { batchId: 'b-1', row: 7 } };

test.each<[Content, forRespondents: boolean, optional: boolean]>([
  [assigned, true, true],
  [{ kind: 'own-result', submission: submission() }, true, true],
  [noticed('A'), true, false],
  [escalated('A'), false, false],
  [password, false, false],
  [note.content, false, false],
])('%j is for respondents: %j, and can be turned off: %j', (content, forRespondents, optional) => {
  const one = entry(content);
  expect([isForRespondent(one), isOptional(one)]).toEqual([forRespondents, optional]);
});

describe('a person reads', () => {
  const reader = { userId: 'u-1', now, reports: [] };
  const takeUrl = (quizId: string) => `https://quiz.example/${quizId}`;
  const read = (contents: readonly Content[], reports: (typeof reader)['reports'] | readonly object[] = []) =>
    personAnnouncement(
      contents.map((content) => entry(content)),
      { ...reader, reports: reports as [] },
      takeUrl,
    );
  const failed = submission({ outcome: 'failed' });

  test.each<[what: string, contents: Content[], said: unknown]>([
    [
      'which quiz they have to take',
      [assigned],
      { kind: 'assigned', quizName: 'Fire', by: 'UTOM', takeUrl: takeUrl('q-1') },
    ],
    [
      'their result, with a report',
      [{ kind: 'own-result', submission: submission(), reportUrl: 'https://r.example' }],
      { kind: 'own-result', submission: submission(), reportUrl: 'https://r.example', takeUrl: undefined },
    ],
    [
      'where to take again what they failed',
      [{ kind: 'own-result', submission: failed }],
      { kind: 'own-result', submission: failed, reportUrl: undefined, takeUrl: takeUrl('q-1') },
    ],
    ['that they can set a password', [password], { ...password, userId: 'u-1' }],
    ['a note', [note.content], { kind: 'note', note: { heading: 'Done' } }],
    [
      'the last escalation of each campaign, and where to take the quiz themselves',
      [escalated('A', { missing: 3 }), escalated('B', { ownQuizId: 'q-B' }), escalated('A', { missing: 2 })],
      {
        kind: 'campaign-escalations',
        escalations: [
          { campaignId: 'A', quizName: 'A', dueAt: null, names: ['Kim'], missing: 2, takeUrl: undefined },
          {
            campaignId: 'B',
            quizName: 'B',
            dueAt: null,
            names: ['Kim'],
            missing: 1,
            ownQuizId: 'q-B',
            takeUrl: takeUrl('q-B'),
          },
        ],
      },
    ],
    ['no list of nobody', [list('A').content], undefined],
    ['nothing of another version', [{ kind: 'of-2030' } as never], undefined],
    ['nothing where nothing is', [], undefined],
  ])('%s', (_, contents, said) => {
    expect(read(contents)).toEqual(said);
  });

  test('the list of their late people', () => {
    const people = [{ userId: 'u-2', name: 'Kim', quizzes: [{ campaignId: 'A', quizName: 'A' }] }];
    expect(read([list('A').content], people)).toEqual({ kind: 'campaign-reports', people });
  });

  test('notices in the order they are due, the last of each campaign, with the words of its first message', () => {
    const shown = ({ campaignId, quizId, quizName, by, isReminder, dueAt }: ReturnType<typeof noticed>) => ({
      campaignId,
      quizId,
      quizName,
      by,
      isReminder,
      dueAt,
      takeUrl: takeUrl(quizId),
      words: undefined,
      takesMinutes: undefined,
    });
    const begins = noticed('A', { isReminder: false, dueAt: 7, words: 'Please', takesMinutes: 5 });
    const notices = [
      noticed('C'),
      begins,
      noticed('B', { dueAt: 5 }),
      noticed('A', { dueAt: 9 }),
      noticed('B', { dueAt: 8 }),
    ];
    expect(read(notices)).toEqual({
      kind: 'campaign-notices',
      now,
      notices: [
        shown(noticed('B', { dueAt: 8 })),
        { ...shown(noticed('A', { isReminder: false, dueAt: 9 })), words: 'Please', takesMinutes: 5 },
        shown(noticed('C')),
      ],
    });
  });

  test('who waits to be taken in, the last of each campaign with its buttons', () => {
    const steps = [{ label: 'Take in', operation: 'take-in', input: {} }];
    const asks = (campaignId: string, heading: string, more: object = {}): Content => ({
      kind: 'note',
      campaignId,
      untilTakenIn: true,
      note: { heading, ...more },
    });
    const said = read([
      asks('A', 'Kim joined A'),
      asks('B', 'Ida joined B'),
      asks('A', 'Kim and Bo joined A', { parts: [{ lines: ['Kim', 'Bo'] }], steps }),
    ]);
    expect(JSON.parse(inEnglish(JSON.stringify(said)))).toEqual({
      kind: 'note',
      note: {
        heading: '👋 People wait to be taken into 2 campaigns.',
        parts: [
          { lines: ['Kim and Bo joined A', 'Kim', 'Bo'], steps },
          { lines: ['Ida joined B'], steps: [] },
        ],
      },
    });
  });
});
