import { expect, test } from 'vitest';
import { dayMs, monday } from '../../support/builders/campaigns.ts';
import { openCampaign } from '../../support/campaign-bed.ts';

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
