import { readFileSync } from 'node:fs';
import { expect, test, describe, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { botUserId, channels, people, teamId } from '../../src/sandbox/workspace/people.ts';
import { directMessagesId } from '../../src/sandbox/workspace/state.ts';
import { manifestWith, signingSecret } from '../support/open-test-bed.ts';
import { sendSigned } from '../support/other-programs.ts';
import { quizId, safetyQuiz } from '../support/results.ts';
import { enterpriseOfProject, startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { actingText, startStepsTestBed, untilEnded } from '../support/workflow-steps.ts';
import { openProcessTestBed, type ProcessTestBed, type ProcessTestBedOptions } from '../support/process-test-bed.ts';
import { startHoldingProxy, type HoldingProxy } from '../support/proxy.ts';
import { redisMissing } from '../support/redis.ts';

const { ada, erin, ravi } = people;
const { training } = channels;
const dayMs = 86_400_000;
const yesterday = ((Date.now() - dayMs) / 1_000).toFixed(6);
const said = { user: ada.id, ts: yesterday, event_ts: yesterday };

/** Events of yesterday, which each would have asked for something. */
const events: Readonly<Record<string, Record<string, unknown>>> = {
  app_home_opened: { user: ada.id, channel: directMessagesId(ada.id), tab: 'home', event_ts: yesterday },
  app_mention: { ...said, channel: training.id, text: `<@${botUserId}> open workplace` },
  'message.im': {
    ...said,
    type: 'message',
    channel_type: 'im',
    channel: directMessagesId(ada.id),
    text: 'open workplace',
  },
  user_change: { user: { id: ada.id, team_id: teamId, deleted: true } },
  team_join: { user: { id: ravi.id, team_id: teamId, deleted: false } },
  channel_shared: { channel: training.id, connected_team_id: 'T0PARTNERS', event_ts: yesterday },
  member_joined_channel: { user: botUserId, channel: training.id, channel_type: 'C', team: teamId },
  member_left_channel: { user: botUserId, channel: training.id, channel_type: 'C', team: teamId },
  subteam_members_changed: { subteam_id: 'S0KITCHEN', team_id: teamId, added_users: [ravi.id], removed_users: [] },
  subteam_updated: { subteam: { id: 'S0KITCHEN', team_id: teamId, handle: 'kitchen' } },
  app_uninstalled: {},
  tokens_revoked: { tokens: { bot: [botUserId] } },
};

/** Events that the manifest does not ask for, but that an operator can add in the app's settings. */
const unasked: Readonly<Record<string, Record<string, unknown>>> = {
  reaction_added: {
    user: ada.id,
    reaction: 'thumbsup',
    item: { type: 'message', channel: training.id, ts: yesterday },
  },
  channel_archive: { user: ada.id, channel: training.id },
};

const bodyOf = (type: string, event: Record<string, unknown>) => ({
  type: 'event_callback',
  event_id: `Ev${type}`,
  event_time: Number(yesterday),
  api_app_id: 'A1',
  team_id: teamId,
  enterprise_id: enterpriseOfProject()?.id ?? null,
  authorizations: [
    { enterprise_id: null, team_id: teamId, user_id: botUserId, is_bot: true, is_enterprise_install: false },
  ],
  event: { type, ...event },
});

const deliver = async ({ url }: TestBed, body: object) =>
  sendSigned(url, JSON.stringify(body), Math.floor(Date.now() / 1_000), signingSecret, 'application/json');

test('this file has every event that the manifests ask for', () => {
  const asked = ['manifest.yml', manifestWith('agents'), manifestWith('steps')].flatMap(
    (name): string[] => parse(readFileSync(name, 'utf8')).settings.event_subscriptions.bot_events,
  );
  expect([...new Set(asked)].toSorted()).toEqual([...Object.keys(events), 'function_executed'].toSorted());
});

test('events that Slack delivers a day late change nothing, and show nothing but the Home tab of now', async () => {
  const testBed = await startTestBed({ env: { LOG_LEVEL: 'debug' } });
  const { workspace, requests, lines } = testBed;
  const erins = workspace.as(erin.id);
  await (await erins.command('/quiz close workplace')).reply();
  const [messages, changes] = [
    () =>
      [...workspace.messages(training.id), ...workspace.directMessages(ada.id)].filter(
        ({ user }) => user === botUserId,
      ),
    () => requests.filter((request) => !request.startsWith('GET')).length,
  ];
  const dealtWith = () => lines.filter((line) => line.includes('dealt with what Slack delivered')).length;
  await expect.poll(dealtWith).toBeGreaterThan(0);
  const before = [messages().length, changes(), dealtWith()] as const;
  for (const [type, event] of Object.entries({ ...events, ...unasked })) {
    const answer = await deliver(testBed, bodyOf(type.replace('message.im', 'message'), event));
    expect([type, answer.status]).toEqual([type, 200]);
  }
  await expect.poll(dealtWith).toBe(before[2] + Object.keys({ ...events, ...unasked }).length);
  expect([messages().length, changes()]).toEqual(before.slice(0, 2));
  expect(textOf(await workspace.until(() => workspace.home(ada.id)))).toContain('quiz');
  expect(lines.filter((line) => /"level":(?:50|"error")/.test(line))).toEqual([]);
});

test('a step that Slack delivers a day late, and then again, runs once: its workflow still waits', async () => {
  const testBed = await startStepsTestBed();
  const { workspace, requests } = testBed;
  const execution = await workspace.functions.run('assign_quiz', {
    acts_as: await actingText(testBed, erin.id),
    quiz: quizId(testBed, safetyQuiz),
    person: ravi.id,
  });
  await untilEnded(testBed, execution);
  const sent = requests.filter((request) => !request.startsWith('GET')).length;
  const delivered = workspace.deliveries.findLast(
    ({ body }) => Object(body).event?.function_execution_id === execution.id,
  )?.body as { event: object };
  expect((await deliver(testBed, { ...delivered, event_time: Number(yesterday) })).status).toBe(200);
  const next = await workspace.functions.run('get_result', {
    acts_as: await actingText(testBed, erin.id),
    quiz: quizId(testBed, safetyQuiz),
    person: ravi.id,
  });
  await untilEnded(testBed, next);
  expect(execution.state).toBe('completed');
  expect(requests.filter((request) => !request.startsWith('GET'))).toHaveLength(sent);
});

const line = 'close workplace';

async function open(options: ProcessTestBedOptions): Promise<ProcessTestBed> {
  const testBed = await openProcessTestBed(options);
  onTestFinished(() => testBed.close());
  return testBed;
}

const say = async ({ workspace }: ProcessTestBed, text = line) =>
  workspace.as(ada.id).say(directMessagesId(ada.id), text);

const answersIn = ({ workspace }: ProcessTestBed) =>
  workspace.directMessages(ada.id).filter(({ user }) => user !== ada.id);

/** The answers to the message, once two messages are answered that were sent later. */
async function answersToLine(testBed: ProcessTestBed): Promise<number> {
  const { workspace } = testBed;
  const isOfLine = (message: Parameters<typeof textOf>[0]) => textOf(message).includes('Workplace safety basics');
  for (const [index, text] of ['show forklift', 'results forklift'].entries()) {
    await say(testBed, text);
    await workspace.until(() => answersIn(testBed).filter((message) => !isOfLine(message))[index]);
  }
  return answersIn(testBed).filter(isOfLine).length;
}

/** Delivers the event of the message again, as it is. */
async function deliverAgain({ workspace }: ProcessTestBed, url: string): Promise<number> {
  const delivered = workspace.deliveries.find(({ body }) => Object(body).event?.text !== undefined)!;
  const now = Math.floor(Date.now() / 1_000);
  return (await sendSigned(url, JSON.stringify(delivered.body), now, signingSecret, 'application/json')).status;
}

describe('a message whose event Slack delivers again', () => {
  test('after a restart is answered once', async () => {
    const testBed = await open({ store: 'sqlite' });
    await say(testBed);
    await testBed.workspace.until(() => answersIn(testBed)[0]);
    const [bot] = testBed.bots;
    await bot!.stop();
    await bot!.start();
    expect(await deliverAgain(testBed, bot!.url)).toBe(200);
    expect(await answersToLine(testBed)).toBe(1);
  });

  test.skipIf(redisMissing !== null)(
    'to another instance is answered once',
    async () => {
      const testBed = await open({ store: 'redis', instances: 2 });
      await say(testBed);
      await testBed.workspace.until(() => answersIn(testBed)[0]);
      const [, other] = testBed.bots;
      expect(await deliverAgain(testBed, other!.url)).toBe(200);
      expect(await answersToLine(testBed)).toBe(1);
    },
    60_000,
  );

  test('is answered after all where the bot was killed before its answer', async () => {
    let proxy: HoldingProxy | undefined;
    onTestFinished(() => proxy?.close());
    const testBed = await open({
      store: 'sqlite',
      serviceUrl: async (url) => (proxy = await startHoldingProxy(url)).url,
    });
    const [bot] = testBed.bots;
    const isHeld = proxy!.hold((request) => request.includes('/responses'), 'before');
    await Promise.all([say(testBed, 'results workplace'), isHeld.then(() => bot!.kill())]);
    await bot!.start();
    expect(await deliverAgain(testBed, bot!.url)).toBe(200);
    await testBed.workspace.until(() => answersIn(testBed)[0]);
    expect(await answersToLine(testBed)).toBe(1);
  });
});
