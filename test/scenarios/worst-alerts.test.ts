import { expect, test } from 'vitest';
import { mrkdwnTexts } from '../support/slack-limits.ts';
import { sendEvent } from '../support/event.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';
import { worstAlerts } from '../support/worst-alerts.ts';

test('the alerts that are hardest to word say what is known, and nothing else', async () => {
  const { workspace, url } = await startTestBed();
  const results = workspace.channels.results.id;
  for (const [index, { body, says, isWithout }] of worstAlerts.entries()) {
    expect((await sendEvent(url, body(1))).status).toBe(200);
    const message = await workspace.until(() => workspace.messages(results)[index]);
    const texts = mrkdwnTexts(message.blocks ?? []);
    expect(texts[0]).toBe(says);
    expect([message.text, ...texts].join('\n')).not.toMatch(isWithout);
  }

  for (const { body } of worstAlerts) expect((await sendEvent(url, body(2))).status).toBe(200);
  const burst = await workspace.until(() =>
    workspace.messages(results).find((message) => textOf(message).includes('📬')),
  );
  const lines = mrkdwnTexts(burst.blocks ?? [])
    .join('\n')
    .split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '📋 *Rosa Almeida* · not graded',
      '🖊️ *Kofi Brandt* · waiting to be marked',
      '✅ *Guest* · 90% (9 of 10 points)',
      '✅ *Juno Kaya* · 90% (9 of 10 points), grade A',
      '❌ *Rosa Almeida* · 33.3% (0.3 of 0.9 points), grade F',
    ]),
  );
  for (const line of lines) expect(line).not.toMatch(/undefined|null|NaN|\.\d{3}|visitor\.example|<p>|&lt;/);
});
