import { operationNamed } from '../../../src/operations/catalog.ts';
import { asSent } from '../../support/as-sent.ts';
import { WebClient } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import { channels, people } from '../../../src/sandbox/workspace/people.ts';
import { startWorkspace } from '../../../src/sandbox/workspace/workspace.ts';
import { createAuditNames } from '../../../src/slack/announcing/audit-names.ts';
import { auditLine } from '../../../src/features/administration/pages/audit.ts';
import { peopleOf } from '../../support/sample-users.ts';
import { auditEntry } from '../../support/builders/governance.ts';

async function setUp() {
  const workspace = await startWorkspace({
    manifestPath: 'manifest.yml',
    botToken: 'xoxb-names',
    signingSecret: 'signing',
  });
  onTestFinished(() => workspace.close());
  const clock = { now: 0 };
  const client = new WebClient('xoxb-names', { slackApiUrl: workspace.apiUrl, retryConfig: { retries: 0 } });
  const now = () => clock.now;
  return { workspace, clock, names: createAuditNames({ client, people: peopleOf(client, { now }), now }) };
}

test('a person is looked up once in ten minutes', async () => {
  const { workspace, clock, names } = await setUp();
  expect([await names.ofPerson(people.ada.id), await names.ofPerson(people.ada.id)]).toEqual([
    'Ada Okafor',
    'Ada Okafor',
  ]);
  expect(workspace.calls).toHaveLength(1);
  clock.now = 600_000;
  await names.ofPerson(people.ada.id);
  expect(workspace.calls).toHaveLength(2);
});

test('a person whom Slack does not know has left, and a name that Slack does not tell is left out', async () => {
  const { workspace, names } = await setUp();
  expect(await names.ofPerson('U0NOBODY')).toBe('Someone who has left');
  workspace.faults.inject({ kind: 'api-error', error: 'missing_scope' }, { method: 'users.info', times: 1 });
  expect(await names.ofPerson(people.tom.id)).toBe('Someone');
});

test.each([
  ['a channel by its mention', `pause alerts in <#${channels.training.id}|x>`, 'paused alerts in #training'],
  ['a channel by its id', `pause ⁨channel ${channels.training.id}⁩`, 'paused *#training*'],
  ['a channel that the bot does not know', 'pause <#C0NOWHERE>', 'paused a private channel'],
  ['a person', `pause alerts of <@${people.uma.id}>`, 'paused alerts of Uma Devi'],
  ['a name that looks like an id', 'pause ⁨COVID2026⁩', 'paused *COVID2026*'],
])('%s has its name in the line', async (_, change, line) => {
  const { names } = await setUp();
  const entry = auditEntry({ operation: 'pause-alerts', by: undefined, change });
  expect(asSent(auditLine(await names.ofEntry(entry), operationNamed), 'markup')).toContain(`✅ The bot ${line} · `);
});

test.each([
  ['subscribe this channel to ⁨X⁩', 'subscribed #training to *X*'],
  ['unsubscribe the channel from ⁨X⁩', 'unsubscribed #training from *X*'],
  ['pause ⁨X⁩', 'paused *X* in #training'],
  ['subscribe ⁨#training⁩ to ⁨X⁩', 'subscribed *#training* to *X*'],
])('“%s” names the channel of the subscription: “%s”', async (change, line) => {
  const { names } = await setUp();
  const entry = auditEntry({
    change,
    targets: [{ kind: 'channel', id: channels.training.id, name: `channel ${channels.training.id}` }],
  });
  expect(asSent(auditLine(await names.ofEntry(entry), operationNamed), 'markup')).toContain(`Ada Okafor ${line} · `);
});

test.each([
  ['copy ⁨X⁩', 'copied *X*'],
  ['reset the password of ⁨Rosa⁩', 'reset the password of *Rosa*'],
  ['delete ⁨X⁩', 'deleted *X*'],
  ['add ⁨Rosa⁩ to ⁨Night shift⁩', 'added *Rosa* to *Night shift*'],
  ['send the files of ⁨X⁩', 'sent the files of *X*'],
])('“%s” is “%s” when it is done', (change, done) => {
  expect(asSent(auditLine({ entry: auditEntry({ change }), who: 'Ada' }, operationNamed), 'markup')).toContain(
    `Ada ${done} · `,
  );
});

test('a change that changed nothing says so', () => {
  const entry = auditEntry({ change: 'close ⁨Ladders⁩', message: '“Ladders” was closed already. Nothing changed.' });
  expect(asSent(auditLine({ entry, who: 'Ada' }, operationNamed), 'markup')).toContain(
    'Ada closed *Ladders*, which changed nothing · ',
  );
});
