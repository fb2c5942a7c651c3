import { asSent } from '../../support/as-sent.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AuditEntry, MissingEnd } from '../../../src/domain/audit-chain.ts';
import { auditQueue } from '../../../src/domain/queues.ts';
import { createAuditPosting } from '../../../src/governance/audit/audit-machine.ts';
import { channels, people } from '../../../src/sandbox/workspace/people.ts';
import { createAnnouncementChannel, createPosting } from '../../../src/slack/announcing/post.ts';
import { createAuditNames } from '../../../src/slack/announcing/audit-names.ts';
import { createOpenDirectMessages } from '../../../src/slack/people/direct-messages.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { auditEntry } from '../../support/builders/governance.ts';
import { peopleOf } from '../../support/sample-users.ts';
import { openSlack } from '../open-slack.ts';
import { runMachine } from '../../support/run-machine.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { textOf } from '../../support/test-bed.ts';
import { catalog, operationNamed } from '../../../src/operations/catalog.ts';
import { inEnglish } from '../../../src/domain/said.ts';
import { auditLine } from '../../../src/features/administration/pages/audit.ts';

const { ada, rosa, uma } = people;
const { id: channelId } = channels.results;
const teamId = 'T0SANDBOX';

async function setUp() {
  const { workspace, client, log } = await openSlack();
  const clock = { now: Date.UTC(2026, 0, 2) };
  const now = () => clock.now;
  const storage = openSqliteStorage(temporaryDirectory(), { now });
  onTestFinished(() => storage.close());

  /** A process that posts what is on the trail. `dies`: it does so when it keeps a state for that time. */
  function start(failing: { dies?: number; missing?: MissingEnd } = {}) {
    const { outbox } = storage;
    const { machine } = createAuditPosting({
      channelId,
      channel: createAnnouncementChannel(client, createPosting(client), createOpenDirectMessages({ client })),
      trail: failing.missing ? { ...storage.audit, missingEnd: async () => failing.missing } : storage.audit,
      names: createAuditNames({ client, people: peopleOf(client, { now }), now }),
      administrators: async () => [ada.id],
      onNobodyNotified: async () => {},
      mail: { wake: async () => {} },
      teamId: async () => teamId,
      log,
      now,
      sleep: async () => {},
    });
    let commits = 0;
    const run = runMachine(machine, {
      outbox: {
        ...outbox,
        async commit(...args) {
          commits += 1;
          if (commits === failing.dies) throw new Error('the process died');
          return outbox.commit(...args);
        },
      },
      now,
    });
    /** Runs at the times it asks for, until nothing is left. */
    return async () => {
      for (let at: number | undefined = clock.now; at !== undefined; at = await run(auditQueue(teamId)))
        clock.now = Math.max(clock.now, at);
    };
  }

  const shown = () => workspace.messages(channelId).map(textOf);
  return {
    workspace,
    storage,
    clock,
    start,
    shown,
    record: (...entries: Partial<AuditEntry>[]) =>
      Promise.all(
        entries.map((entry) => storage.audit.append(teamId, auditEntry({ at: clock.now, by: ada.id, ...entry }))),
      ),
    callsOf: (method: string) =>
      workspace.calls.filter((call) => call.method === method && call.error === undefined).length,
  };
}

const asked = {
  operation: 'suspend-user',
  by: uma.id,
  request: 'request-1',
  targets: [{ kind: 'user', id: 'u-1', name: 'Rosa Almeida' }],
} as const;

describe('a request', () => {
  test('keeps its post over a restart, and gets a new one where that is gone', async () => {
    const { storage, workspace, start, record, shown } = await setUp();
    await record({ ...asked, action: 'requested' });
    await start()();
    expect(shown().join()).toContain('Uma Devi asked to suspend');
    await record({ ...asked, by: ada.id, action: 'approved' });
    const second = start();
    await second();
    expect(shown()).toHaveLength(1);
    expect(shown()[0]).toContain('Ada Okafor approved it');
    workspace.faults.inject({ kind: 'api-error', error: 'message_not_found' }, { method: 'chat.update', times: 1 });
    await record({ ...asked, by: ada.id, action: 'done' });
    await second();
    expect(shown()).toHaveLength(2);
    expect(shown()[1]).toContain('asked to suspend *Rosa Almeida*');
    expect(shown()[1]).toContain('It was carried out');
    expect(JSON.stringify(await storage.outbox.stateOf(auditQueue(teamId)))).not.toContain('Rosa');
  });
});

describe('refusals', () => {
  test('of an hour share a line for each person, and do not hold up what comes between them', async () => {
    const { clock, start, record, shown, callsOf } = await setUp();
    const refused = { action: 'refused', targets: [] } as const;
    for (let times = 0; times < 40; times += 1)
      await record(
        { ...refused, by: rosa.id },
        { ...refused, by: uma.id, operation: 'delete-quiz' },
        { targets: [{ kind: 'quiz', id: 'q', name: `Quiz ${times}` }] },
      );
    const posting = start();
    await posting();
    const all = shown().join();
    expect(all).toContain('Quiz 39');
    expect(all).toContain('Rosa Almeida was refused 40 times since');
    expect(all).toContain('Uma Devi was refused 40 times since');
    expect(shown().filter((text) => text.includes('refused'))).toHaveLength(2);
    expect(callsOf('chat.postMessage') + callsOf('chat.update')).toBeLessThanOrEqual(12);
    expect(callsOf('users.info')).toBe(3);
    clock.now += 3_600_000;
    await record({ ...refused, by: rosa.id, message: 'Only trainers can do this.' });
    await posting();
    expect(shown().at(-1)).toContain('Rosa Almeida wasn’t allowed to close a quiz (“Only trainers can do this.”)');
  });
});

test('a trail that was cut has new posts: none is taken for posted by its position', async () => {
  const { start, record, shown } = await setUp();
  await record({ ...asked, action: 'requested' }, {});
  await start()();
  const missing = { knownPosition: 9, lastPosition: 2 };
  await start({ missing })();
  const afterCut = shown().slice(2);
  expect(afterCut).toEqual([
    expect.stringContaining('The audit trail lost entries'),
    expect.stringContaining('✅ Ada Okafor closed *Fire safety*'),
  ]);
  await start({ missing })();
  expect(shown()).toHaveLength(4);
});

async function openNames() {
  const { workspace, client } = await openSlack();
  const now = () => 0;
  return { workspace, names: createAuditNames({ client, people: peopleOf(client, { now }), now }) };
}

test('a person whom Slack does not know has left, and a name that Slack does not tell is left out', async () => {
  const { workspace, names } = await openNames();
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
  const { names } = await openNames();
  const entry = auditEntry({ operation: 'pause-alerts', by: undefined, change });
  expect(asSent(auditLine(await names.ofEntry(entry), operationNamed), 'markup')).toContain(`✅ The bot ${line} · `);
});

test.each([
  ['subscribe this channel to ⁨X⁩', 'subscribed #training to *X*'],
  ['unsubscribe the channel from ⁨X⁩', 'unsubscribed #training from *X*'],
  ['pause ⁨X⁩', 'paused *X* in #training'],
  ['subscribe ⁨#training⁩ to ⁨X⁩', 'subscribed *#training* to *X*'],
])('“%s” names the channel of the subscription: “%s”', async (change, line) => {
  const { names } = await openNames();
  const entry = auditEntry({
    change,
    targets: [{ kind: 'channel', id: channels.training.id, name: `channel ${channels.training.id}` }],
  });
  expect(asSent(auditLine(await names.ofEntry(entry), operationNamed), 'markup')).toContain(`Ada Okafor ${line} · `);
});

test('an attempt of which nobody knows what it was about reads as a person would say it', () => {
  const changes = catalog.filter(({ access }) => access === 'write' || access === 'destructive');
  const attempts = changes.map(({ name }) => {
    const entry = auditEntry({ operation: name, action: 'failed', change: undefined, targets: [], details: [] });
    return inEnglish(auditLine({ entry, who: 'Ada' }, operationNamed)).replace(
      /^.*Ada tried to |, but it failed.*$/g,
      '',
    );
  });
  expect(attempts.filter((attempt) => !/^[a-z][^;:.]*$/.test(attempt))).toEqual([]);
  expect(attempts).toEqual(
    expect.arrayContaining([
      'copy a quiz with its questions',
      'change a user’s name, address, type or rights',
      'end a campaign before its time, with its report',
      'revoke the rights that a person lent to a step of a workflow',
    ]),
  );
});

test.each([
  ['copy ⁨X⁩', 'copied *X*'],
  ['reset the password of ⁨Rosa⁩', 'reset the password of *Rosa*'],
  ['delete ⁨X⁩', 'deleted *X*'],
  ['add ⁨Rosa⁩ to ⁨Night shift⁩', 'added *Rosa* to *Night shift*'],
  ['send the files of ⁨X⁩', 'sent the files of *X*'],
  ['cancel the change to close ⁨X⁩', 'cancelled the change to close *X*'],
  ['undo the change to close ⁨X⁩', 'undid the change to close *X*'],
  ['leave people active in the quiz account', 'left people active in the quiz account'],
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
