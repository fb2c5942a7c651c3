import { expect, test } from 'vitest';
import { inEnglish } from '../../../src/domain/said.ts';
import { campaignPlanPage } from '../../../src/features/campaigns/pages/plan.ts';
import { announcementMessage } from '../../../src/slack/views/announcement.ts';
import { monday, plannedCampaign } from '../../support/builders/campaigns.ts';
import { drawn } from '../../support/as-sent.ts';

test.each([
  [2, 40],
  [11, 50],
  [16, 12],
  [24, 3],
])('a lead of %i campaigns with %i missing people each finds every quiz and its buttons', (count, missing) => {
  const names = Array.from({ length: missing }, (_, index) => `Alexandra Fischer-Müller ${index}`);
  const message = announcementMessage({
    kind: 'campaign-escalations',
    escalations: Array.from({ length: count }, (_, index) => ({
      campaignId: crypto.randomUUID(),
      quizName: `Workplace safety ${index}`,
      dueAt: monday,
      names,
      missing,
      takeUrl: undefined,
    })),
  });
  const text = inEnglish(JSON.stringify(message.blocks));
  expect([text.match(/"text":"Excuse…"/g)?.length, text.includes('more: `/quiz-campaign')]).toEqual([count, false]);
});

test('of more campaigns than a message has room for, a lead reads how many are left', () => {
  const escalations = Array.from({ length: 60 }, (_, index) => ({
    campaignId: crypto.randomUUID(),
    quizName: `Workplace safety ${index}`,
    dueAt: monday,
    names: ['Rosa Almeida'],
    missing: 1,
    takeUrl: undefined,
  }));
  const text = inEnglish(JSON.stringify(announcementMessage({ kind: 'campaign-escalations', escalations }).blocks));
  expect([text.match(/Workplace safety \d+\*/g)?.length, text.match(/…and \d+ more/g)]).toEqual([24, ['…and 36 more']]);
});

test('the preview of a campaign can be changed, however many people were named one by one', () => {
  const input = { quiz: ['q-1'], to: Array.from({ length: 100 }, () => crypto.randomUUID()) };
  const { blocks } = drawn(
    campaignPlanPage(plannedCampaign(), {
      id: 'p-1',
      canStart: true,
      entered: { operation: 'start-campaign', input },
      warning: undefined,
      timeZone: 'UTC',
      platform: 'Slack',
    }),
  );
  expect(JSON.stringify(blocks)).toContain('"text":"Change…"');
});
