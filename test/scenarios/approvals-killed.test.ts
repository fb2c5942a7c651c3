import { expect, onTestFinished, test } from 'vitest';
import { createSandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId, decisionOn } from '../support/approvals.ts';
import { textOf } from '../support/test-bed.ts';
import { inTheAccount, manyChanges } from '../support/many-changes.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openProcessTestBed, type ProcessTestBed, type ProcessTestBedOptions } from '../support/process-test-bed.ts';
import { startHoldingProxy, type HoldingProxy, type HoldPoint } from '../support/proxy.ts';
import { untilReady } from '../support/killable-bot.ts';

/** A request of the bot at which it is killed: before its target receives it, or after the target has answered. */
interface KillPoint {
  target: 'service' | 'slack';
  matches: (request: string) => boolean;
  point: HoldPoint;
}

interface KillAtTestBed extends Pick<ProcessTestBed, 'workspace' | 'quizService'> {
  /** The requests that the quiz service has answered. */
  passed: readonly string[];
  /**
   * Acts, kills the bot at the request to which that leads, and starts it again.
   *
   * @param options.isAnswered whether the bot answers the person before it is killed
   * @param options.whileDown what happens before the bot starts again
   */
  killAt(
    killPoint: KillPoint,
    act: () => Promise<unknown>,
    options?: { isAnswered?: boolean; whileDown?: () => void },
  ): Promise<void>;
  /** What the bot has logged since it was last killed. */
  log(): string;
  /** Stops the bot with SIGTERM. */
  stop(): Promise<void>;
}

/** One bot in its own process, between a workspace and a quiz service whose requests can be held. It ends with the test. */
async function openKillAt(options: Pick<ProcessTestBedOptions, 'env' | 'clock'> = {}): Promise<KillAtTestBed> {
  const proxies = new Map<KillPoint['target'], HoldingProxy>();
  const through = (target: KillPoint['target']) => async (url: string) => {
    const proxy = await startHoldingProxy(url);
    onTestFinished(() => proxy.close());
    proxies.set(target, proxy);
    return proxy.url;
  };
  const testBed = await openProcessTestBed({
    store: 'sqlite',
    ...options,
    serviceUrl: through('service'),
    slackUrl: through('slack'),
  });
  onTestFinished(() => testBed.close());
  const bot = testBed.bots[0]!;
  const wholeLog = () => readFileSync(join(testBed.folder, 'bot-1.log'), 'utf8');
  let logged = 0;
  return {
    workspace: testBed.workspace,
    quizService: testBed.quizService,
    passed: proxies.get('service')!.passed,
    async killAt({ target, matches, point }, act, { isAnswered = false, whileDown } = {}) {
      const held = proxies.get(target)!.hold(matches, point);
      const acting = act();
      const ended = acting.catch(() => {});
      await (isAnswered ? Promise.all([held, acting]) : held);
      await bot.kill();
      await ended;
      logged = wholeLog().length;
      whileDown?.();
      await bot.start();
      await untilReady(bot);
    },
    log: () => wholeLog().slice(logged),
    stop: () => bot.stop(),
  };
}

const { ada, tom, uma } = people;

/**
 * Requests to the quiz service and to Slack at which the test kills the bot. `approvals/reconcile.test.ts` has a process die at each
 * of its steps.
 */
const killPoints: [string, KillPoint['target'], KillPoint['matches'], KillPoint['point']][] = [
  ['after the service has suspended the user', 'service', (request) => request.includes('suspended=true'), 'after'],
  ['after the requester is notified', 'slack', (request) => request.includes('approval_news'), 'after'],
];

const open = (options: Pick<Parameters<typeof openKillAt>[0] & object, 'clock'> = {}) =>
  openKillAt({
    env: { ALERTS_CHANNEL: '', APPROVALS_CHANNEL: leadsChannelId, LOG_LEVEL: 'debug' },
    ...options,
  });

test.each(killPoints)(
  'a bot killed %s finishes after its restart: one change, one message, one notification',
  async (_, target, matches, point) => {
    const { workspace, quizService, passed, killAt, log, stop } = await open();
    const { ask, review, messageWith, directMessageWith } = approvalActions({ workspace });
    const request = await ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
    await directMessageWith(uma.id, 'Approval requested');
    const view = await review(ada.id, request);
    await killAt({ target, matches, point }, () => workspace.as(ada.id).submit(view, decisionOn(view)));

    expect(await messageWith(request, 'approved:')).not.toContain('"button"');
    await directMessageWith(uma.id, 'approved:');
    await expect.poll(log).toContain('request announced');
    await stop();
    expect(log()).not.toContain('"level":"error"');

    expect(quizService.database.get("SELECT suspended FROM users WHERE user_name = 'rosa@quiz.example'")).toMatchObject(
      { suspended: 1 },
    );
    expect(passed.filter((line) => line.includes('suspended=true'))).toHaveLength(1);
    expect(workspace.messages(leadsChannelId)).toHaveLength(1);
    const [main, ...replies] = workspace.directMessages(uma.id);
    expect(replies.map(({ threadTs }) => threadTs)).toEqual([main?.ts]);
  },
);

test('a quiz approved for deletion as “It has no responses”, with the bot killed before the service deletes it, is not deleted when five have come in and it has a new name', async () => {
  const { workspace, quizService, killAt, stop } = await open();
  const { database } = quizService;
  const idOf = (name: string) =>
    database.get<{ quiz_id: string }>('SELECT quiz_id FROM quizzes WHERE name = ?', [name])!.quiz_id;
  const quizId = idOf('Forklift theory test');
  database.run('DELETE FROM responses WHERE quiz_id = ?', [quizId]);

  const { ask, review, messageWith, directMessageWith } = approvalActions({ workspace });
  const request = await ask(tom.id, '/quiz delete forklift --reason Old');
  const view = await review(ada.id, request);
  expect(textOf(view)).toContain('It has no responses.');
  const columns =
    'user_id, first_name, last_name, email_address, status, started_ms, date_submitted, attempt, ip_address, publish_type';
  const matches = (line: string) => line.startsWith('DELETE') || line.includes('/delete');
  const deleted = { target: 'service', matches, point: 'before' } as const;
  await killAt(deleted, () => workspace.as(ada.id).submit(view, decisionOn(view)), {
    whileDown() {
      database.run(
        `INSERT INTO responses (response_id, quiz_id, ${columns}) SELECT 'new-' || response_id, ?, ${columns} FROM responses WHERE quiz_id = ? AND status = 'submitted' LIMIT 5`,
        [quizId, idOf('Workplace safety basics')],
      );
      database.run("UPDATE quizzes SET name = 'Forklift 2027' WHERE quiz_id = ?", [quizId]);
    },
  });
  expect(await messageWith(request, 'changed after it was approved')).toContain('"button"');
  await directMessageWith(tom.id, 'changed after it was approved');
  const again = textOf(await review(ada.id, request));
  expect(again).toContain('*Forklift 2027* would be deleted for good, with its 5 responses.');
  expect(again).toContain('name was “Forklift theory test”, is now “Forklift 2027”');
  await stop();
  expect(database.get('SELECT name FROM quizzes WHERE quiz_id = ?', [quizId])).toEqual({ name: 'Forklift 2027' });
});

test.each([
  ['a request arrives in its channel', 'approval_request'],
  ['its requester’s message arrives', 'approval_status'],
])('a bot killed after %s posts the request once after its restart', async (_, event) => {
  const clock = createSandboxClock();
  const { workspace, killAt } = await open({ clock });
  const matches = (request: string) => request.includes(event);
  await killAt({ target: 'slack', matches, point: 'after' }, () =>
    workspace.as(uma.id).command('/quiz-user suspend rosa almeida --reason Left'),
  );
  const { approve, messageWith, directMessageWith } = approvalActions({ workspace });
  // A post without an answer is looked for for 40 seconds.
  const arrived = async () => {
    await clock.skip(5_000);
    return [workspace.messages(leadsChannelId), workspace.directMessages(uma.id)].map(({ length }) => length > 0);
  };
  await expect.poll(arrived).toEqual([true, true]);
  const [request] = workspace.messages(leadsChannelId);
  await directMessageWith(uma.id, 'Approval requested');
  await approve(ada.id, request!);
  await messageWith(request!, 'approved:');
  await directMessageWith(uma.id, 'approved:');
  expect(workspace.messages(leadsChannelId)).toHaveLength(1);
  expect(workspace.directMessages(uma.id).filter(({ threadTs }) => threadTs === undefined)).toHaveLength(1);
});

test('a bot killed before the first change of a batch, whose owner lost the right meanwhile, makes none after its restart, and says why', async () => {
  const testBed = await openKillAt();
  const { workspace, passed, killAt } = testBed;
  const { change, userId } = inTheAccount(testBed);
  const { start, progress } = manyChanges(testBed, ada.id);
  const preview = await (await workspace.as(ada.id).command('/quiz-user reinstate-group kitchen')).reply();
  // Start reads its owner first, and then the first change does.
  const readsOwner = `GET /api/v1/users/${userId('ada')}`;
  let reads = 0;
  const matches = (line: string) => line === readsOwner && (reads += 1) === 2;
  const reinstatements = () => passed.filter((line) => line.includes('suspended='));
  await killAt(
    { target: 'service', matches, point: 'before' },
    async () => expect(await start(preview)).toContain('Started to reinstate 1 person'),
    {
      isAnswered: true,
      whileDown() {
        expect(reinstatements()).toEqual([]);
        change('ada', 'manage_users = 0');
      },
    },
  );
  expect(textOf(await progress(/⚠️|✅/))).toMatch(/⚠️.*can’t manage users/);
  expect(reinstatements()).toEqual([]);
});
