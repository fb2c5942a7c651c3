import { setImmediate as turn } from 'node:timers/promises';
import { WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AuditEntry } from '../../src/domain/audit-chain.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { createAuditNames } from '../../src/slack/audit-names.ts';
import { createAuditPosting, type AuditPost, type PendingPost } from '../../src/slack/audit-posting.ts';
import { slackLogger } from '../../src/slack/connection.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { auditEntry } from '../support/builders/governance.ts';
import { recordingLog } from '../support/log.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, rosa, uma } = people;
const { id: channel } = channels.results;
const teamId = 'T0SANDBOX';

async function setUp() {
  const workspace = await startWorkspace({
    manifestPath: 'manifest.yml',
    botToken: 'xoxb-audit',
    signingSecret: 'signing',
    strictness: { rateLimits: false },
  });
  onTestFinished(() => workspace.close());
  const clock = { now: Date.UTC(2026, 0, 2) };
  const now = () => clock.now;
  const storage = openSqliteStorage(temporaryDirectory(), { now });
  onTestFinished(() => storage.close());
  const { log } = recordingLog();
  const client = new WebClient('xoxb-audit', {
    slackApiUrl: workspace.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: slackLogger(log),
  });

  /** Posts what is on the trail, as one process: until nothing is left, or the process dies. */
  function start(options: { posts?: Keyv<AuditPost> } = {}) {
    const posting = createAuditPosting({
      client,
      channel,
      trail: storage.audit,
      leases: storage.leases,
      posted: storage.kv('audit-posted'),
      posts: options.posts ?? storage.kv('audit-posts'),
      pending: storage.kv<PendingPost>('audit-pending'),
      names: createAuditNames({ client, now }),
      teamId: async () => teamId,
      timeZone: 'UTC',
      log,
      now,
      sleep: () => turn(),
    });
    posting.start();
    onTestFinished(() => posting.stop());
    return posting;
  }

  const shown = () => workspace.messages(channel).map(textOf);
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
    showing: (words: string) => workspace.until(() => shown().some((text) => text.includes(words))),
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
    const { storage, workspace, start, record, shown, showing } = await setUp();
    await record({ ...asked, action: 'requested' });
    const first = start();
    await showing('Uma Devi asked to suspend');
    await first.stop();
    await record({ ...asked, by: ada.id, action: 'approved' });
    const second = start();
    await showing('Ada Okafor approved it');
    expect(shown()).toHaveLength(1);

    workspace.faults.inject({ kind: 'api-error', error: 'message_not_found' }, { method: 'chat.update', times: 1 });
    await record({ ...asked, by: ada.id, action: 'done' });
    second.wake();
    await showing('It was carried out');
    expect(shown()).toHaveLength(2);
    expect(shown()[1]).toContain('asked to suspend *Rosa Almeida*');
    expect(JSON.stringify(await storage.kv('audit-posts').get(`${teamId}:0:request:request-1`))).not.toContain('Rosa');
  });

  test.each(['approved', 'denied', 'withdrawn', 'expired'] as const)(
    'that is %s says so in its post',
    async (action) => {
      const { start, record, shown, showing } = await setUp();
      await record(
        { ...asked, action: 'requested' },
        { ...asked, by: action === 'expired' ? undefined : ada.id, action, message: 'Fine' },
      );
      start();
      await showing(
        {
          approved: 'Ada Okafor approved it: “Fine”',
          denied: 'Ada Okafor denied it: “Fine”',
          withdrawn: 'Ada Okafor withdrew it',
          expired: 'It expired',
        }[action],
      );
      expect(shown()).toHaveLength(1);
    },
  );
});

describe('a process that dies', () => {
  test.each([
    ['a change', {}, 'Ada Okafor closed *Fire safety*'],
    ['a request', { ...asked, action: 'requested' }, 'Uma Devi asked to suspend'],
    ['a refusal', { action: 'refused' }, 'wasn’t allowed to close'],
  ] as const)('between posting %s and storing that leaves one post', async (_, entry, words) => {
    const { storage, start, record, shown, showing } = await setUp();
    await record(entry);
    const posts = storage.kv<AuditPost>('audit-posts');
    const dying = Object.assign(Object.create(posts) as Keyv<AuditPost>, {
      set: () => Promise.reject(new Error('the process died')),
    });
    const first = start({ posts: dying });
    await showing(words);
    await first.stop();
    await record({ operation: 'open-quiz' });
    start();
    await showing('opened');
    expect(shown().filter((text) => text.includes(words))).toHaveLength(1);
  });

  test('before Slack takes the post leaves it to the next', async () => {
    const { storage, start, record, shown, showing } = await setUp();
    await record({});
    await storage.kv('audit-pending').set(teamId, { key: `${teamId}:0:changes`, at: 0, post: { ts: '', through: 1 } });
    start();
    await showing('closed *Fire safety*');
    expect(shown()).toHaveLength(1);
  });
});

describe('refusals', () => {
  test('of an hour share a line for each person, and do not hold up what comes between them', async () => {
    const { clock, start, record, shown, showing, callsOf } = await setUp();
    const refused = { action: 'refused', targets: [] } as const;
    for (let times = 0; times < 40; times += 1)
      await record(
        { ...refused, by: rosa.id },
        { ...refused, by: uma.id, operation: 'delete-quiz' },
        { targets: [{ kind: 'quiz', id: 'q', name: `Quiz ${times}` }] },
      );
    const posting = start();
    await showing('Quiz 39');
    await showing('Rosa Almeida was refused 40 times since');
    await showing('Uma Devi was refused 40 times since');
    expect(shown().filter((text) => text.includes('refused'))).toHaveLength(2);
    expect(callsOf('chat.postMessage') + callsOf('chat.update')).toBeLessThanOrEqual(12);
    expect(callsOf('users.info')).toBe(3);

    clock.now += 3_600_000;
    await record({ ...refused, by: rosa.id, message: 'Only trainers can do this.' });
    posting.wake();
    await showing('Rosa Almeida wasn’t allowed to close quiz (“Only trainers can do this.”)');
  });
});

test('a trail that was cut has new posts: none is taken for posted by its position', async () => {
  const { storage, workspace, start, record, showing } = await setUp();
  await record({ ...asked, action: 'requested' }, {});
  const trail = { ...storage.audit };
  const first = start();
  await showing('closed *Fire safety*');
  await first.stop();
  await storage.kv('audit-posted').set(teamId, 0);
  const cut = createAuditPosting({
    client: new WebClient('xoxb-audit', { slackApiUrl: workspace.apiUrl, logger: slackLogger(recordingLog().log) }),
    channel,
    trail: { ...trail, missingEnd: async () => ({ knownPosition: 9, lastPosition: 2 }) },
    leases: storage.leases,
    posted: storage.kv('audit-posted'),
    posts: storage.kv('audit-posts'),
    pending: storage.kv('audit-pending'),
    names: { ofPerson: async () => 'Ada', ofEntry: async (entry) => ({ entry, who: { mrkdwn: 'Ada' } }) },
    teamId: async () => teamId,
    timeZone: 'UTC',
    log: recordingLog().log,
    now: () => 0,
    sleep: () => turn(),
  });
  cut.start();
  onTestFinished(() => cut.stop());
  await showing('The audit trail lost entries');
  expect(await showing('✅ Ada closed *Fire safety*')).toBe(true);
});
