import { expect, test } from 'vitest';
import { mrkdwnTexts } from '../support/slack-limits.ts';
import { sendEvent } from '../support/event.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';
import { worstAlerts } from '../support/worst-alerts.ts';

test('the alerts that are hardest to word say what is known, and nothing else', async () => {
  const { workspace, url } = await startTestBed();
  const results = workspace.channels.results.id;
  for (const [index, { body, says, facts, isWithout }] of worstAlerts.entries()) {
    expect((await sendEvent(url, body(1))).status).toBe(200);
    const message = await workspace.until(() => workspace.messages(results)[index], 10_000);
    const [heading, ...others] = mrkdwnTexts(message.blocks ?? []);
    expect(heading).toBe(says);
    for (const fact of facts) expect(others).toContain(fact);
    expect(textOf(message)).not.toMatch(isWithout);
  }

  for (const { body } of worstAlerts) expect((await sendEvent(url, body(2))).status).toBe(200);
  const burst = await workspace.until(() => workspace.messages(results).find((message) => textOf(message).includes('📬')), 10_000);
  const lines = mrkdwnTexts(burst.blocks ?? []).join('\n').split('\n');
  expect(lines).toEqual(expect.arrayContaining([
    '📋 Rosa Almeida · not graded',
    '🖊️ Kofi Brandt · waiting to be marked',
    '✅ Guest · 90 %',
    '✅ Juno Kaya · 90 % · A',
    '❌ Rosa Almeida · 33.3 % · F',
  ]));
  for (const line of lines) expect(line).not.toMatch(/undefined|null|NaN|\.\d{3}|visitor\.example|<p>|&lt;/);
});
