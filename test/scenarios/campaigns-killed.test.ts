import { describe, expect, test } from 'vitest';
import { runCampaign } from '../support/campaign-run.ts';

/** `npm run bench -- campaigns-killed` runs the same for 1,000 people, 30 days and 20 kills. */
const size = { seed: Number(process.env['CHAOS_SEED'] ?? 20_261_123), people: 18, kills: 4, days: 5 };
const timeout = 180_000;

describe('a bot killed at random moments writes to the people of a campaign once, in their hours, and never after their result', () => {
  test('over SQLite, while Slack fails and webhooks are lost', { timeout }, async () => {
    expect(await runCampaign({ ...size, store: 'sqlite' })).toMatchObject({ problems: [], logFolder: '' });
  });
});
