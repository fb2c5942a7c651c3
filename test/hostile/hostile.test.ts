import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { catalog } from '../../src/operations/catalog.ts';
import { seed } from '../support/seeded-random.ts';
import { operations } from './operations.ts';
import { judge } from './judge.ts';
import { failureText, runHostile } from './run.ts';
import { runSequence } from './side.ts';
import { openStage, type Stage } from './stage.ts';
import type { Step } from './steps.ts';
import { type Cohort, markOf, slackIdOf } from './cohort.ts';
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

test('the sequences use every operation of the bot, with all its fields', () => {
  const kinds = new Map(catalog.map(({ name, fields }) => [name, Object.keys(fields).toSorted()]));
  expect(
    new Map(Object.entries(operations).map(([name, { fields }]) => [name, Object.keys(fields).toSorted()])),
  ).toEqual(kinds);
});

/** A function that runs steps in a cohort of a stage. */
function inCohort(stage: Stage, cohort: Cohort) {
  let number = 0;
  const run = async (steps: readonly Step[]) => runSequence(stage, cohort, steps, () => (number += 1));
  return { stage, cohort, of: cohort.number, run };
}

/** A stage with one cohort. */
async function openCohort() {
  const stage = await openStage([1], { hasOwners: false });
  onTestFinished(() => stage.close());
  return inCohort(stage, stage.cohorts[0]!);
}

/** For tests that neither plant nor kill. */
let shared: Stage;
let taken = 0;
beforeAll(async () => void (shared = await openStage([1, 2, 3, 4, 5, 6], { hasOwners: false })));
afterAll(() => shared.close());
/** A cohort of the shared stage for one test alone. */
const takeCohort = () => inCohort(shared, shared.cohorts[taken++]!);

async function violationsOf(steps: readonly Step[], plant: (stage: Stage) => void) {
  const { stage, run } = await openCohort();
  const ran = run(steps);
  plant(stage);
  return (await ran).violations.map(({ rule }) => rule);
}

test('the forms, buttons and commands of the sequences reach their operations', async () => {
  const stage = await openStage([1, 2, 3], { hasOwners: false });
  onTestFinished(() => stage.close());
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
  let number = 0;
  const unreached = await Promise.all(
    stage.cohorts.map(async (cohort, index) => {
      const mark = markOf(cohort.number);
      const stepOf = (operation: string): Step => ({
        do: ways[index]!,
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
        const { violations, outcomes } = await runSequence(
          stage,
          cohort,
          [...('subscription' in fields ? [stepOf('subscribe-channel')] : []), stepOf(operation)],
          () => (number += 1),
        );
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
  const { run, stage, of } = takeCohort();
  const { violations, outcomes } = await run([
    { ...close, who: 'rosa', quiz: 'b' },
    { ...close, who: 'ada', quiz: 'b', envelope: 'foreign team' },
    { ...close, who: 'ada', quiz: 'b' },
    { do: 'message', who: 'rosa', operation: 'show-user', user: 'ravi' },
  ]);
  expect(violations).toEqual([]);
  expect(outcomes).toEqual({ 'message: refused': 2, 'message: no answer': 1, 'message: answered': 1 });
  expect(stage.journal.changes(of)).toEqual([]);
});

test('an approved request changes the account as the policy allows', async () => {
  const steps: Step[] = [
    { do: 'form', who: 'tom', operation: 'suspend-user', user: 'rosa', reason: 'It has to be' },
    { do: 'review', who: 'ada', request: 0 },
    { do: 'decide', who: 'ada', request: 0, verdict: 'approved' },
  ];
  expect(await takeCohort().run(steps)).toMatchObject({ violations: [] });
});

test('the sequences press what is on the previews, batches and campaigns that they made', async () => {
  const press = (operation: string, who: string, more: Partial<Extract<Step, { operation: string }>> = {}): Step =>
    ({ do: 'button', who, operation, latest: 0, reason: 'It has to be', ...more }) as Step;
  const { run, stage, of } = takeCohort();
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
  const tables = () => [...new Set(stage.journal.changes(of).map(({ table }) => table))].toSorted();
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
  const { run, stage, cohort, of } = takeCohort();
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
    return stage.journal
      .changes(of)
      .flatMap(({ table, after }) => (table === 'campaign_members' ? [after?.['user_id']] : []));
  };
  await eventually(() => expect(taking()).toEqual([cohort.users['kai'], cohort.users['lea']]));
});

test('people whom a campaign writes to although nobody may start it are found', async () => {
  const row = {
    campaign_id: 'c-1',
    quiz_id: 'b0000000-0000-4000-8000-000000010000',
    user_id: 'a0000000-0000-4000-8000-000000010017',
  };
  const steps: Step[] = [
    {
      do: 'form',
      who: 'erin',
      operation: 'start-campaign',
      quiz: 'a',
      assignees: ['user kai'],
      values: { people: [], channels: [], except: [], due: ['in 2 weeks'] },
    },
    { do: 'button', who: 'erin', operation: 'run-campaign', latest: 0 },
  ];
  expect(await violationsOf(steps, ({ journal }) => journal.lookAtCampaigns(1, [row]))).toEqual(['policy']);
});

test('a batch that nobody may start is found', async () => {
  const steps: Step[] = [{ do: 'form', who: 'uma', operation: 'suspend-group', group: 'a' }];
  const suspend = "UPDATE users SET suspended = 1 WHERE first_name = 'Rosa'";
  expect(await violationsOf(steps, ({ places: [{ service }] }) => service.database.run(suspend))).toEqual(['policy']);
});

test('a decision that a kill cuts short is carried out once, before the account comes back as it was', async () => {
  const deletionOf = (user: string): Step[] => [
    { do: 'button', who: 'ada', operation: 'delete-user', user, reason: 'It has to be' },
    { do: 'review', who: 'ben', request: 0 },
    { do: 'decide', who: 'ben', request: 0, verdict: 'approved', interruption: { after: 6, act: 'kill' } },
  ];
  const { stage, cohort, run } = await openCohort();
  for (const user of ['tom', 'tim']) {
    expect(await run(deletionOf(user))).toMatchObject({ violations: [], wasKilled: true });
    stage.restore(cohort);
  }
  const deletions = stage.journal.changes(1).filter(({ table, after }) => table === 'users' && after === null);
  expect(deletions.map(({ before }) => before?.['user_id'])).toEqual([cohort.users['tom'], cohort.users['tim']]);
});

test('a bot that is killed while it sets a new password sets another, and nothing but that twice', async () => {
  const steps: Step[] = [
    { do: 'form', who: 'uma', operation: 'reset-password', user: 'tess', reason: 'It has to be' },
    { do: 'review', who: 'ada', request: 0 },
    { do: 'decide', who: 'ada', request: 0, verdict: 'approved', interruption: { after: 6, act: 'kill' } },
  ];
  const { stage, run } = await openCohort();
  expect(await run(steps)).toMatchObject({ violations: [], wasKilled: true });
  expect(stage.journal.changes(1).map(({ table }) => table)).toEqual(['users', 'users']);
  stage.places[0].service.database.run("UPDATE users SET password_hash = 'another' WHERE first_name = 'Tess'");
  expect(judge(stage.journal, 1, stage.deeds.get(1) ?? []).map(({ rule }) => rule)).toEqual(['stale approval']);
});

test('people change the subscriptions of the channel they are in, and nobody those of another channel', async () => {
  const steps: Step[] = [
    { do: 'button', who: 'erin', in: 'b', operation: 'subscribe-channel', quiz: 'a' },
    { do: 'button', who: 'eli', operation: 'unsubscribe-channel', subscription: 0 },
    { do: 'button', who: 'nora', in: 'b', operation: 'unsubscribe-channel', subscription: 0 },
    { do: 'button', who: 'eli', in: 'b', operation: 'pause-alerts', subscription: 0 },
    { do: 'button', who: 'ada', operation: 'unsubscribe-channel', subscription: 0 },
  ];
  const { stage, of, run } = takeCohort();
  expect(await run(steps)).toMatchObject({ violations: [] });
  const changes = stage.journal
    .changes(of)
    .map(({ before, after }) => [before?.['pause'] ?? null, after?.['pause'] ?? null].map((pause) => pause !== null));
  expect(changes).toEqual([
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
  const { stage, of, run } = takeCohort();
  expect(await run(steps)).toMatchObject({ violations: [] });
  const owners = stage.journal.changes(of).map(({ after }) => [after?.['owner_id'], after?.['quiz_id']]);
  expect(owners).toEqual(ways.map(() => [slackIdOf(of, 'eli'), null]));
});

test('a channel can be subscribed to a quiz that was deleted a moment ago, and not to a quiz that never was', async () => {
  const steps: Step[] = [
    { do: 'command', who: 'ada', operation: 'show-quiz', quiz: 'a' },
    { do: 'turn', turn: { turn: 'delete quiz', quiz: 'a' } },
    { do: 'command', who: 'eli', operation: 'subscribe-channel', quiz: 'a', values: { delivery: ['hourly'] } },
  ];
  const { stage, cohort, run } = await openCohort();
  expect(await run(steps)).toMatchObject({ violations: [] });
  expect(stage.journal.changes(1).map(({ after }) => after?.['quiz_id'])).toEqual([cohort.quizzes['a']]);
  const personId = slackIdOf(1, 'eli');
  stage.journal.lookAtSubscriptions(1, [
    ...stage.places[0].store.subscriptions(1),
    {
      subscription_id: 's-1',
      channel_id: 'C0W1XA',
      owner_id: personId,
      quiz_id: 'never',
      quiz_name: null,
      pause: null,
    },
  ]);
  const deed = {
    begin: 0,
    end: Infinity,
    personId,
    kind: 'do',
    isOurs: true,
    intent: { operation: 'subscribe-channel', quiz: 'never', channel: 'C0W1XA' },
  } as const;
  expect(judge(stage.journal, 1, [...(stage.deeds.get(1) ?? []), deed]).map(({ rule }) => rule)).toEqual(['policy']);
});

test('a subscription that nobody asked for is found', async () => {
  const row = {
    subscription_id: 's-1',
    channel_id: 'C0W1XA',
    owner_id: slackIdOf(1, 'erin'),
    quiz_id: null,
    quiz_name: null,
    pause: null,
  };
  expect(await violationsOf([], ({ journal }) => journal.lookAtSubscriptions(1, [row]))).toContain('policy');
});

test('a change that nobody asked for is found', async () => {
  const suspend = "UPDATE users SET suspended = 1 WHERE first_name = 'Rosa'";
  expect(
    await violationsOf([{ do: 'home', who: 'rosa' }], ({ places: [{ service }] }) => service.database.run(suspend)),
  ).toEqual(['policy']);
});

test('the loss of the last administrator is found', async () => {
  const demote = "UPDATE users SET user_type = 'respondent'";
  expect(await violationsOf([], ({ places: [{ service }] }) => service.database.run(demote))).toContain(
    'last administrator',
  );
});

test('an address of two users is found', async () => {
  const rename =
    "UPDATE users SET email_address = (SELECT user_name FROM users WHERE first_name = 'Ada') WHERE first_name = 'Rosa'";
  expect(await violationsOf([], ({ places: [{ service }] }) => service.database.run(rename))).toEqual([
    'policy',
    'namesake',
  ]);
});

test('a name in front of a person who may not see it is found', async () => {
  const leak = ({ seenTexts, cohorts, journal, places: [{ tenant }] }: Stage) => {
    const { user_name = '' } = journal.state(1).users.get(cohorts[0]!.users['ada']!) ?? {};
    seenTexts.push({ tenant, reader: slackIdOf(1, 'zoe'), text: `Ask ${user_name}`, isView: false, step: undefined });
  };
  expect(await violationsOf([], leak)).toEqual(['leak']);
});
