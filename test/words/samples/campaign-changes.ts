import { ruleChangePage } from '../../../src/features/campaigns/operations/run-change.ts';
import { extendCampaign, movedMessage } from '../../../src/features/campaigns/operations/change-campaign.ts';
import { confirmationMessage } from '../../../src/slack/views/outcome.ts';
import { wholePlanPage } from '../../../src/operations/define-plan.ts';
import { campaignOf, plannedRuleChange } from '../../support/builders/campaigns.ts';
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
  { when: 'Everyone whom a change is about', shown: drawn(wholePlanPage('p-1', plannedRuleChange(), 1)) },
];
