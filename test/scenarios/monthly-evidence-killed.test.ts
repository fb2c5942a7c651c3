import { expect, test } from 'vitest';
import { createSandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { openKillAt, type KillPoint } from '../support/kills/kill-at.ts';
import { locationOf } from '../support/results.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, tom } = people;
const minuteMs = 60_000;
/** The first of February 2030 is a Friday. */
const rightBefore = Date.UTC(2030, 1, 1, 8, 50);

test.each([
  ['before Slack has the file', 'files.getUploadURLExternal', 'after'],
  ['before Slack shows the file', 'files.completeUploadExternal', 'before'],
  ['after Slack has shown the file', 'files.completeUploadExternal', 'after'],
] as const)(
  'a bot killed %s sends the evidence of the month once',
  { timeout: 300_000 },
  async (_, method, point: KillPoint['point']) => {
    const clock = createSandboxClock(Date.UTC(2030, 0, 31, 12) - Date.now());
    const { workspace, killAt } = await openKillAt({ store: 'sqlite', env: { ALERTS_CHANNEL: '' }, clock });
    const owner = workspace.as(ada.id);
    const preview = await (await owner.command('/quiz-campaign start workplace for @ravi within 14d')).reply();
    await owner.click(locationOf(preview), 'choose:start');
    await workspace.until(() =>
      workspace.ephemerals(ada.id).find((message) => textOf(message).includes('Started a campaign')),
    );
    const ordered = await (await owner.command('/quiz-campaign evidence monthly to @tom')).reply();
    expect(textOf(ordered)).toContain('Ordered the evidence pack');
    const packs = () => workspace.directMessages(tom.id).flatMap(({ files = [] }) => files.map(({ name }) => name));

    await clock.skip(rightBefore - clock.now());
    await killAt({ target: 'slack', matches: (request) => request.includes(method), point }, () =>
      clock.skip(20 * minuteMs),
    );
    await clock.skip(20 * minuteMs);
    await workspace.until(() => packs()[0], 60_000);
    await clock.skip(60 * minuteMs);
    expect(packs()).toEqual(['Training evidence 2030-01.zip']);
  },
);
