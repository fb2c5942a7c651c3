import { describe, expect, test } from 'vitest';
import { seed } from '../support/seeded-random.ts';
import { operations } from './operations.ts';
import { judge } from './judge.ts';
import { shareStage, type Played } from './played.ts';
import { failureText, runHostile } from './run.ts';
import type { Step } from './steps.ts';
import { channelIdOf, idPartOf, markOf, slackIdOf } from './cohort.ts';
import { eventually } from '../support/watchdog.ts';
import { runs } from '../support/drawn.ts';

test('hostile sequences change nothing that the policy forbids, and show nobody more than they may see', async () => {
  const { failures, outcomes } = await runHostile({ count: runs(60), seed });
  expect(failures.map(failureText)).toEqual([]);
  expect(Object.keys(outcomes)).toEqual(
    expect.arrayContaining([
      'form: asked',
      'decide: approved',
      'decide: refused',
      'command: answered',
      'message: answered',
      'form: refused',
    ]),
  );
});

const set = ({ stage, cohort }: Played, who: string, what: string) =>
  stage.places[0].service.database.run(`UPDATE users SET ${what} WHERE user_id = '${cohort.users[who]}'`);
const takeCohort = shareStage(16);
/** Of a bot that is killed. */
const takeKilled = shareStage(2);

test('the forms, buttons and commands of the sequences reach their operations', async () => {
  const ways = ['form', 'button', 'command'] as const;
  const named = {
    quiz: 'a',
    user: 'rosa',
    group: 'a',
    response: 'rosa',
    channel: 'a',
    assignees: ['user ravi'],
    subscription: 0,
    reason: 'It has to be',
  };
  /** No step makes what these operations and those about a plan, batch or campaign need. */
  const unmade = new Set([
    'import-users',
    'start-campaign',
    'export-matrix',
    'dismiss-departed',
    'not-me',
    'for-me',
    'snooze-reminders',
    'not-my-report',
    'my-report-after-all',
    'turn-messages',
    'choose-language',
    'decide-request',
    'withdraw-request',
    'revoke-token',
    'revoke-lent-rights',
    'take-rights-back',
    'take-back-quiz',
    'take-back-user',
  ]);
  const unreached = await Promise.all(
    ways.map(async (way) => {
      const { cohort, of, run } = takeCohort();
      const mark = markOf(of);
      const stepOf = (operation: string): Step => ({
        do: way,
        who: 'ada',
        operation,
        ...named,
        ...(operation === 'close-quiz' && { quiz: 'b' }),
        values: {
          name: [`New ${mark}`],
          first_name: ['Kim'],
          delivery: ['hourly'],
          ...(operation === 'find-user' && { user_name: [cohort.people['rosa']!.email] }),
          ...(operation === 'require-quiz' && { within: ['14d'] }),
          ...(operation === 'set-channel-language' && { language: ['de'] }),
          ...(operation === 'create-user' && { user_name: [`new.${mark}@hostile.example`], user_type: ['trainer'] }),
        },
      });
      const found: string[] = [];
      for (const [operation, { fields }] of Object.entries(operations)) {
        if (unmade.has(operation) || ['plan', 'batch', 'campaign'].some((field) => field in fields)) continue;
        const { violations, outcomes } = await run([
          ...('subscription' in fields ? [stepOf('subscribe-channel')] : []),
          stepOf(operation),
        ]);
        expect(violations).toEqual([]);
        found.push(
          ...Object.keys(outcomes)
            .filter((outcome) => !/: (?:answered|asked|waiting)$/.test(outcome))
            .map((outcome) => `${operation}, ${outcome}`),
        );
      }
      return found;
    }),
  );
  // The attempts have no files, and the command that changes a user opens a form.
  expect(unreached).toEqual([
    ['send-files, form: invalid'],
    ['send-files, button: invalid'],
    ['send-files, command: invalid', 'update-user, command: modal'],
  ]);
});

test('a message to the bot is a line of who wrote it, and of nobody else, and changes nothing by itself', async () => {
  const close = { do: 'message', operation: 'close-quiz' } as const;
  const { run, changes } = takeCohort();
  const { violations, outcomes } = await run([
    { ...close, who: 'rosa', quiz: 'b' },
    { ...close, who: 'ada', quiz: 'b', envelope: 'foreign team' },
    { ...close, who: 'ada', quiz: 'b' },
    { do: 'message', who: 'rosa', operation: 'show-user', user: 'ravi' },
  ]);
  expect(violations).toEqual([]);
  expect(outcomes).toEqual({ 'message: refused': 2, 'message: no answer': 1, 'message: answered': 1 });
  expect(changes()).toEqual([]);
});

test('the sequences press what is on the previews, batches and campaigns that they made', async () => {
  const press = (operation: string, who: string, more: Partial<Extract<Step, { operation: string }>> = {}): Step =>
    ({ do: 'button', who, operation, latest: 0, reason: 'It has to be', ...more }) as Step;
  const { run, changes } = takeCohort();
  const made: Step[] = [
    {
      do: 'form',
      who: 'ada',
      operation: 'start-campaign',
      quiz: 'b',
      assignees: ['user ravi', 'group a'],
      values: { people: [], channels: [], except: [], due: ['in 2 weeks'] },
    },
    press('run-campaign', 'tom'),
    press('run-campaign', 'ada'),
    press('end-campaign', 'erin'),
    press('extend-campaign', 'ada', { values: { time: ['in 3 weeks'] } }),
    { do: 'form', who: 'ada', operation: 'suspend-group', group: 'a' },
    press('run-batch', 'uma'),
    press('run-batch', 'ada'),
    press('show-plan', 'uma'),
    { do: 'review', who: 'ben', request: 0 },
    { do: 'decide', who: 'ben', request: 0, verdict: 'approved' },
    press('cancel-batch', 'uma'),
    press('pause-batch', 'tom'),
    press('undo-batch', 'gus'),
    press('batch-result', 'ben'),
  ];
  const { violations, outcomes } = await run(made);
  expect(violations).toEqual([]);
  expect(outcomes).toMatchObject({ 'button: asked': 1, 'decide: approved': 1 });
  const tables = () => [...new Set(changes().map(({ table }) => table))].toSorted();
  await eventually(() => expect(tables()).toEqual(['group_quizzes', 'users']));
});

test('a step of a workflow starts a campaign for the person who published it, and for nobody else', async () => {
  const step = (user: string, more: object = {}): Step => ({
    do: 'workflow step',
    who: 'tom',
    operation: 'start-campaign',
    quiz: 'a',
    assignees: [`user ${user}`],
    reason: 'It has to be',
    ...more,
  });
  const { run, stage, cohort, of, changes } = takeCohort();
  const { violations, outcomes } = await run([
    step('kai', { grant: 'forged' }),
    step('kai'),
    step('lea'),
    { do: 'review', who: 'ben', request: 0 },
    { do: 'decide', who: 'ben', request: 0, verdict: 'approved' },
  ]);
  expect(violations).toEqual([]);
  expect(outcomes).toEqual({
    'workflow step without proof: refused': 1,
    'workflow step: answered': 1,
    'workflow step: asked': 1,
    'review: modal': 1,
    'decide: approved': 1,
  });
  const taking = () => {
    stage.journal.lookAtCampaigns(of, stage.places[0].store.campaignMembers(of));
    return changes().flatMap(({ table, after }) => (table === 'campaign_members' ? [after?.['user_id']] : []));
  };
  await eventually(() => expect(taking()).toEqual([cohort.users['kai'], cohort.users['lea']]));
});

test('a decision that a kill cuts short is carried out once, before the account comes back as it was', async () => {
  const deletionOf = (user: string): Step[] => [
    { do: 'button', who: 'ada', operation: 'delete-user', user, reason: 'It has to be' },
    { do: 'review', who: 'ben', request: 0 },
    { do: 'decide', who: 'ben', request: 0, verdict: 'approved', interruption: { after: 6, act: 'kill' } },
  ];
  const { stage, cohort, run, changes } = takeKilled();
  for (const user of ['tom', 'tim']) {
    expect(await run(deletionOf(user))).toMatchObject({ violations: [], wasKilled: true });
    stage.restore(cohort);
  }
  const deletions = changes().filter(({ table, after }) => table === 'users' && after === null);
  expect(deletions.map(({ before }) => before?.['user_id'])).toEqual([cohort.users['tom'], cohort.users['tim']]);
});

test('a bot that is killed while it sets a new password sets another, and nothing but that twice', async () => {
  const steps: Step[] = [
    { do: 'form', who: 'uma', operation: 'reset-password', user: 'tess', reason: 'It has to be' },
    { do: 'review', who: 'ada', request: 0 },
    { do: 'decide', who: 'ada', request: 0, verdict: 'approved', interruption: { after: 6, act: 'kill' } },
  ];
  const played = takeKilled();
  const { stage, of, run, changes } = played;
  expect(await run(steps)).toMatchObject({ violations: [], wasKilled: true });
  expect(changes().map(({ table }) => table)).toEqual(['users', 'users']);
  set(played, 'tess', "password_hash = 'another'");
  expect(judge(stage.journal, of, stage.deeds.get(of) ?? []).map(({ rule }) => rule)).toEqual(['stale approval']);
});

test('people change the subscriptions of the channel they are in, and nobody those of another channel', async () => {
  const steps: Step[] = [
    { do: 'button', who: 'erin', in: 'b', operation: 'subscribe-channel', quiz: 'a' },
    { do: 'button', who: 'eli', operation: 'unsubscribe-channel', subscription: 0 },
    { do: 'button', who: 'nora', in: 'b', operation: 'unsubscribe-channel', subscription: 0 },
    { do: 'button', who: 'eli', in: 'b', operation: 'pause-alerts', subscription: 0 },
    { do: 'button', who: 'ada', operation: 'unsubscribe-channel', subscription: 0 },
  ];
  const { changes, run } = takeCohort();
  expect(await run(steps)).toMatchObject({ violations: [] });
  const isPaused = (row: Record<string, unknown> | null) => (row?.['pause'] ?? null) !== null;
  expect(changes().map(({ before, after }) => [isPaused(before), isPaused(after)])).toEqual([
    [false, false],
    [false, true],
    [true, false],
  ]);
});

test('a blank quiz subscribes to every quiz, for people who see every quiz', async () => {
  const ways = [
    { do: 'form', quiz: ' ', values: { delivery: ['hourly'] } },
    { do: 'button', quiz: '', values: { delivery: ['thread'] } },
  ] as const;
  const steps = ['eli', 'erin'].flatMap((who) =>
    ways.map((way): Step => ({ who, operation: 'subscribe-channel', channel: 'b', ...way })),
  );
  const { changes, of, run } = takeCohort();
  expect(await run(steps)).toMatchObject({ violations: [] });
  const owners = changes().map(({ after }) => [after?.['owner_id'], after?.['quiz_id']]);
  expect(owners).toEqual(ways.map(() => [slackIdOf(of, 'eli'), null]));
});

test('a channel can be subscribed to a quiz that was deleted a moment ago, and not to a quiz that never was', async () => {
  const steps: Step[] = [
    { do: 'command', who: 'ada', operation: 'show-quiz', quiz: 'a' },
    { do: 'turn', turn: { turn: 'delete quiz', quiz: 'a' } },
    { do: 'command', who: 'eli', operation: 'subscribe-channel', quiz: 'a', values: { delivery: ['hourly'] } },
  ];
  const { stage, cohort, of, run, changes } = takeCohort();
  expect(await run(steps)).toMatchObject({ violations: [] });
  expect(changes().map(({ after }) => after?.['quiz_id'])).toEqual([cohort.quizzes['a']]);
  stage.journal.lookAtSubscriptions(of, [
    ...stage.places[0].store.subscriptions(of),
    subscriptionOf(of, { owner_id: slackIdOf(of, 'eli'), quiz_id: 'never' }),
  ]);
  const deed = {
    begin: 0,
    end: Infinity,
    personId: slackIdOf(of, 'eli'),
    kind: 'do',
    isOurs: true,
    intent: { operation: 'subscribe-channel', quiz: 'never', channel: channelIdOf(of, 'a') },
  } as const;
  expect(judge(stage.journal, of, [...(stage.deeds.get(of) ?? []), deed]).map(({ rule }) => rule)).toEqual(['policy']);
});

const subscriptionOf = (cohort: number, more: Record<string, string>) => ({
  subscription_id: 's-1',
  channel_id: channelIdOf(cohort, 'a'),
  quiz_id: null,
  quiz_name: null,
  pause: null,
  ...more,
});

describe('what is found:', () => {
  const campaign = {
    quiz: 'a',
    assignees: ['user kai'],
    values: { people: [], channels: [], except: [], due: ['in 2 weeks'] },
  };
  const suspend = (played: Played) => set(played, 'rosa', 'suspended = 1');

  test.each<[string, rules: string[], steps: Step[], plant: (played: Played) => void]>([
    ['a change that nobody asked for', ['policy'], [{ do: 'home', who: 'rosa' }], suspend],
    [
      'a batch that nobody may start',
      ['policy'],
      [{ do: 'form', who: 'uma', operation: 'suspend-group', group: 'a' }],
      suspend,
    ],
    [
      'people whom a campaign writes to although nobody may start it',
      ['policy'],
      [
        { do: 'form', who: 'erin', operation: 'start-campaign', ...campaign },
        { do: 'button', who: 'erin', operation: 'run-campaign', latest: 0 },
      ],
      ({ stage, cohort: { quizzes, users }, of }) =>
        stage.journal.lookAtCampaigns(of, [{ campaign_id: `c-${of}`, quiz_id: quizzes['a']!, user_id: users['kai']! }]),
    ],
    [
      'a subscription that nobody asked for',
      ['policy', 'policy'],
      [],
      ({ stage, of }) =>
        stage.journal.lookAtSubscriptions(of, [subscriptionOf(of, { owner_id: slackIdOf(of, 'erin') })]),
    ],
    [
      'an address of two users',
      ['policy', 'namesake'],
      [],
      (played) => set(played, 'rosa', `email_address = '${played.cohort.people['ada']?.email}'`),
    ],
    [
      'a name in front of a person who may not see it',
      ['leak'],
      [],
      ({ stage: { seenTexts, places }, cohort: { people }, of }) =>
        seenTexts.push({
          tenant: places[0].tenant,
          reader: slackIdOf(of, 'zoe'),
          text: `Ask ${people['ada']?.email}`,
          isView: false,
          step: undefined,
        }),
    ],
  ])('%s', async (_, rules, steps, plant) => {
    const played = takeCohort();
    expect(await played.violationsOf(steps, () => plant(played))).toEqual(rules);
  });

  test('the loss of the last administrator', async () => {
    const { stage, of, violationsOf } = takeCohort();
    const demote = `UPDATE users SET user_type = 'respondent' WHERE user_id LIKE '%${idPartOf(of)}%'`;
    expect(await violationsOf([], () => stage.places[0].service.database.run(demote))).toContain('last administrator');
  });
});
