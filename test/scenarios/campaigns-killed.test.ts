import { describe, expect, test } from 'vitest';
import { campaignKilled } from '../support/kills/loads/campaign.ts';
import { runAndPrintKills, seedOr, whole } from '../support/kills/print-kills.ts';

/** `npm run bench -- campaigns-killed` runs the same for 1,000 people, 30 days and 20 kills. */
const size = { seed: seedOr(20_261_123), kills: 4 };

describe('a bot killed at random moments writes to the people of a campaign once, in their hours, and never after their result', () => {
  test('over SQLite, while Slack fails and webhooks are lost', async () => {
    const campaign = campaignKilled({ people: 18, days: 5 });
    expect(await runAndPrintKills({ ...size, store: 'sqlite' }, campaign)).toEqual(whole);
  });
});
