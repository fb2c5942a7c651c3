import { expect, test } from 'vitest';
import { dayMs, monday } from '../../support/builders/campaigns.ts';
import { openCampaign } from '../../support/campaign-bed.ts';

const sunday = Date.UTC(2026, 10, 29);
const hourMs = 3_600_000;

test.each([false, true])(
  'who answers for a campaign is told about each week once, from the Sunday on (the store loses answers: %s)',
  async (losesAnswers) => {
    const { campaigns, until, messagesTo } = await openCampaign({ losesAnswers });
    const weeksTo = async (userId: string) =>
      (await messagesTo(userId)).filter((message) => message.startsWith('week'));
    for (let at = monday + hourMs; at < sunday + 8 * dayMs; at += hourMs) {
      await until(at);
      await campaigns.upkeep('T1').catch(() => undefined);
    }
    expect(await weeksTo('tom')).toEqual(['week 11-29T00:00', 'week 12-06T00:00']);
    expect(await weeksTo('rosa')).toEqual([]);
  },
);

test('what there is to say is of campaigns that run, to who answers for them and may see them', async () => {
  const { campaigns, until, lost, users, put } = await openCampaign();
  await until(monday + 20 * dayMs);
  expect(await campaigns.weeksOf('T1', 'tom')).toMatchObject([
    { campaignId: 'c-1', late: ['kim', 'rosa'], failed: { question: 'What burns?', wrong: 5 } },
  ]);
  expect(await campaigns.weeksOf('T1', 'rosa')).toEqual([]);
  lost.add('UTOM');
  users.set('tom', { ...users.get('tom')!, edit_quizzes: false });
  expect(await campaigns.weeksOf('T1', 'tom')).toEqual([]);
  lost.clear();
  expect(await campaigns.weeksOf('T1', 'tom')).toHaveLength(1);
  await put({ kind: 'end', at: monday + 20 * dayMs });
  await until(monday + 21 * dayMs);
  expect(await campaigns.weeksOf('T1', 'tom')).toEqual([]);
});
