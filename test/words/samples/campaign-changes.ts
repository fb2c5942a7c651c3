import { ruleChangePage } from '../../../src/features/campaigns/operations/run-change.ts';
import { extendCampaign, movedMessage } from '../../../src/features/campaigns/operations/change-campaign.ts';
import { confirmationMessage } from '../../../src/slack/views/outcome.ts';
import { wholePlanPage } from '../../../src/operations/define-plan.ts';
import { takenBackToo } from '../../../src/features/campaigns/operations/excuse-and-include.ts';
import { missedReminderWords } from '../../../src/features/campaigns/pages/words.ts';
import { campaignMember, campaignOf, dayMs, monday, plannedRuleChange } from '../../support/builders/campaigns.ts';
import { drawn } from '../../support/as-sent.ts';
import type { Sample } from '../sample.ts';

const preview = (overrides: Parameters<typeof plannedRuleChange>[0] = {}) =>
  drawn(
    ruleChangePage(plannedRuleChange(overrides), {
      id: 'p-1',
      canStart: true,
      entered: { operation: 'change-campaign', input: { campaign: ['c-1'] } },
      timeZone: 'Europe/London',
      platform: 'Slack',
    }),
  );

const rosa = campaignMember('rosa', { name: 'Rosa Almeida' });
const kim = campaignMember('kim', { name: 'Kim Doe' });
const excuse = { by: 'UTOM', reason: 'On leave', at: 1, until: null };

/** What an Undo asks that somebody else has made stale. */
const asked = (dueAt: number | null) => {
  const { rule, ...campaign } = campaignOf({ quiz: { id: 'q-food', name: 'Food hygiene' } });
  return confirmationMessage(extendCampaign, {
    question: movedMessage({ ...campaign, rule: { ...rule, dueAt } }),
    label: extendCampaign.submit,
    input: {},
  });
};

/** Changes of campaigns, and previews of other rules for them. */
export const samples: readonly Sample[] = [
  { when: 'The preview of a change of a campaign’s rule', shown: preview() },
  {
    when: 'The preview of a change for more than 100 people, with a channel',
    shown: preview({
      approval: 'many people',
      after: { ...plannedRuleChange().after, board: { channelId: 'C0TRAINING', showsNames: true } },
    }),
  },
  {
    when: 'The preview of a change for people whom the person doesn’t train',
    shown: preview({ approval: 'other people' }),
  },
  {
    when: 'The preview of a change that nobody notices',
    shown: preview({ members: [], sooner: 0, firstMessagesAt: null }),
  },
  {
    when: 'A trainer takes a due time back that was moved again since',
    shown: asked(Date.UTC(2026, 11, 15, 17)),
  },
  { when: 'A trainer takes a due time back that was removed since', shown: asked(null) },
  {
    when: 'A trainer takes an excuse back, and somebody has given another one since',
    shown: takenBackToo([{ ...rosa, excused: excuse }], 'none')!,
  },
  {
    when: 'A trainer takes excuses back, and others have given other ones since',
    shown: takenBackToo(
      [
        { ...rosa, excused: excuse },
        { ...kim, excused: { ...excuse, reason: 'Ill' } },
      ],
      'none',
    )!,
  },
  {
    when: 'A trainer takes an excuse back, and the person has said “Not me” since',
    shown: takenBackToo([{ ...rosa, saidNotMeAt: 1 }], '1')!,
  },
  ...(
    [
      ['in a round', { standing: null, dueAt: monday + dayMs }],
      ['where each person has two weeks', { validity: null }],
      ['for a person whose pass ends soon', {}],
    ] as const
  ).map(([where, rule]) => ({
    when: `A change asks for a reminder that comes too late ${where}`,
    shown: missedReminderWords({ ...plannedRuleChange().before, remindBeforeMs: [28 * dayMs], ...rule }, monday, [
      monday + dayMs,
    ])!,
  })),
  { when: 'Everyone whom a change is about', shown: drawn(wholePlanPage('p-1', plannedRuleChange(), 1)) },
];
