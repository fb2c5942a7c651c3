import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { slackIdOf } from './cohort.ts';
import { crossingFlow } from './crossing-flow.ts';
import { drawFrom } from './grammar.ts';
import { runSequence } from './side.ts';
import { openStage, type Stage } from './stage.ts';
import { foreignParts, type Step } from './steps.ts';
import { strangersKept } from './leaks.ts';
import { worlds, type World } from './tenant.ts';

const elsewhere = (step: Step): Step => ({ do: 'elsewhere', step });
const twoTenants = worlds.filter((world) => world !== 'one bot');
const reason = 'It has to be';

/** What the people of the other tenant leave: a request, a token, a plan and a subscription. */
const left: readonly Step[] = [
  { do: 'form', who: 'tom', operation: 'suspend-user', user: 'rosa', reason },
  { do: 'command', who: 'erin', operation: 'make-token', values: { name: ['agent 1'] } },
  { do: 'form', who: 'ada', operation: 'suspend-group', group: 'a' },
  { do: 'command', who: 'erin', operation: 'subscribe-channel', quiz: 'a', values: { delivery: ['hourly'] } },
];

/** A stage with a cohort in each tenant, and a function that runs steps in them. */
async function openCohorts(world: World) {
  const stage = await openStage([1], { hasOwners: false, world });
  onTestFinished(() => stage.close());
  const cohort = stage.cohorts[0]!;
  let number = 0;
  const run = (steps: readonly Step[]) => runSequence(stage, cohort, steps, () => (number += 1));
  return { stage, run, here: stage.placeOf(cohort), there: stage.placeOf(cohort.other!) };
}

async function violationsOf(steps: readonly Step[], plant: (stage: Stage) => void = () => {}) {
  const { stage, run } = await openCohorts('two workspaces');
  const ran = run(steps);
  plant(stage);
  return (await ran).violations.map(({ rule }) => rule);
}

describe.each(twoTenants)('two tenants, %s,', (world) => {
  test('act for their own people, and nobody finds anything of the other', async () => {
    const { run, stage } = await openCohorts(world);
    const close: Step = { do: 'command', who: 'ada', operation: 'close-quiz', quiz: 'a' };
    const { violations, outcomes } = await run([
      close,
      ...left.map(elsewhere),
      { ...close, quiz: 'b', foreign: ['quiz'] },
      { do: 'form', who: 'ada', operation: 'suspend-user', user: 'ravi', foreign: ['user'] },
      {
        do: 'button',
        who: 'tom',
        operation: 'assign-quiz',
        quiz: 'a',
        assignees: ['user ravi'],
        foreign: ['assignees'],
      },
      { do: 'button', who: 'ada', operation: 'unsubscribe-channel', subscription: 0, foreign: ['subscription'] },
      { do: 'button', who: 'ada', operation: 'run-batch', latest: 0, reason, foreign: ['latest'] },
      { do: 'review', who: 'ada', request: 0, foreign: ['request'] },
      { do: 'decide', who: 'ada', request: 0, verdict: 'approved', foreign: ['request'] },
      { do: 'withdraw', who: 'tom', request: 0, foreign: ['request'] },
      { do: 'agent', who: 'erin', proof: 'token', operation: 'show-quiz', quiz: 'a', foreign: ['token'] },
      { do: 'workflow step', who: 'ada', operation: 'create-user', user: 'zoe', reason, foreign: ['grant'] },
    ]);
    expect(violations).toEqual([]);
    expect(outcomes).toMatchObject({
      'command: answered': 3,
      'form: asked': 1,
      'form across: invalid': 1,
      'button across: invalid': expect.any(Number),
      'review across: refused': 1,
      'decide across: refused': 1,
      'withdraw across: refused': 1,
      'agent without proof across: no answer': 1,
      'workflow step without proof across: refused': 1,
    });
    expect(stage.journal.changes(1).map(({ table }) => table)).toEqual(['quizzes']);
    expect(stage.journal.changes(501).map(({ table }) => table)).toEqual(['subscriptions']);
    expect(strangersKept(stage)).toEqual([]);
  });

  test('refuse each other’s addresses and secrets', async () => {
    const { run, stage } = await openCohorts(world);
    const close: Step = { do: 'form', who: 'ada', operation: 'close-quiz', quiz: 'a' };
    const { violations, outcomes } = await run([
      elsewhere(close),
      { ...close, door: { to: 'other', signed: 'own' } },
      { ...close, door: { to: 'own', signed: 'other' } },
      { ...close, door: { to: 'other', signed: 'other' } },
      { do: 'replay', step: 0, door: { to: 'own', signed: 'own' } },
      { do: 'replay', step: 0, door: { to: 'own', signed: 'other' } },
      { do: 'webhook', response: 'rosa', door: { to: 'other', signed: 'own' } },
      { do: 'webhook', response: 'rosa', door: { to: 'own', signed: 'other' } },
      { do: 'webhook', response: 'rosa' },
      { ...close, foreign: ['hooks'], quiz: 'b' },
      close,
    ]);
    expect(violations).toEqual([]);
    expect(outcomes).toMatchObject({ 'webhook: answered': 1 });
    const closed = (cohort: number) => stage.journal.changes(cohort).map(({ after }) => after?.['quiz_id']);
    const { quizzes, other } = stage.cohorts[0]!;
    expect(closed(1)).toEqual([quizzes['b'], quizzes['a']]);
    expect(closed(501)).toEqual([other?.quizzes['a']]);
  });
});

test('the sequences take everything of the other tenant that there is, by every door', async () => {
  const { stage } = await openCohorts('two workspaces');
  const steps = Array.from({ length: 1_000 }, (_, seed) =>
    crossingFlow(drawFrom(createSeededRandom(seed)), stage.cohorts[0]!, { own: [], there: left }),
  ).flat();
  const taken = new Set(steps.flatMap((step) => ('foreign' in step ? (step.foreign ?? []) : [])));
  expect(taken).toEqual(new Set(foreignParts));
  const doors = steps.flatMap((step) =>
    'door' in step && step.door ? [`${step.do} ${step.door.to} ${step.door.signed}`] : [],
  );
  expect(doors).toEqual(
    expect.arrayContaining([
      'replay own own',
      'replay own other',
      'form other own',
      'command other other',
      'webhook own other',
      'webhook other own',
      'agent other own',
    ]),
  );
});

describe('what is found:', () => {
  const nothing: Step = { do: 'home', who: 'rosa' };

  test('a change in the other tenant that nobody there asked for', async () => {
    const suspend = "UPDATE users SET suspended = 1 WHERE first_name = 'Rosa'";
    expect(await violationsOf([nothing], ({ places }) => places[1]?.service.database.run(suspend))).toEqual(['policy']);
  });

  test('a record that one tenant makes in the account of the other', async () => {
    const { stage, there } = await openCohorts('two workspaces');
    there.service.database.run("UPDATE users SET user_name = 'new.w1w@hostile.example' WHERE first_name = 'Rosa'");
    there.service.database.run(
      "INSERT INTO groups (group_id, group_name) VALUES ('c0000000-0000-4000-8000-000000010009', 'New')",
    );
    stage.journal.tick();
    expect(stage.journal.strays.map(({ table }) => table)).toEqual(['groups']);
  });

  test.each([
    ['a person', slackIdOf(1, 'ada')],
    ['a channel', 'C0W1XA'],
  ])('a word of the other tenant in front of %s', async (_, reader) => {
    const leak = ({ seenTexts, cohorts, places: [{ tenant }] }: Stage) => {
      const { other } = cohorts[0]!;
      seenTexts.push({ tenant, reader, text: `Ask ${other?.people['ada']?.email}`, isView: false, step: undefined });
    };
    expect(await violationsOf([nothing], leak)).toEqual(['tenant']);
  });

  test('a word of the other tenant in the log', async () => {
    const { stage } = await openCohorts('two workspaces');
    stage.logLines.push(
      `{"tenant":"north","person":"${slackIdOf(501, 'ada')}"}\n{"tenant":"south","person":"${slackIdOf(501, 'ada')}"}\n`,
    );
    expect(strangersKept(stage).map(({ message }) => message)).toEqual([
      expect.stringContaining('in the log of north'),
    ]);
  });

  test('a request of the other tenant that is in the store of this one as well', async () => {
    const { run, here, there } = await openCohorts('one workspace');
    expect(await run(left.slice(0, 1).map(elsewhere))).toMatchObject({ violations: [] });
    const rows = withStore(there, (store) =>
      store.prepare("SELECT * FROM queue_states WHERE queue GLOB 'request/*'").all(),
    );
    const decide: Step = {
      do: 'decide',
      who: 'ada',
      request: 0,
      metadata: String(rows[0]?.['queue']).split('/').at(-1)!,
      verdict: 'approved',
      foreign: ['request'],
    };
    expect(await run([decide])).toMatchObject({ violations: [], outcomes: { 'decide across: refused': 1 } });
    withStore(here, (store) => {
      const columns = Object.keys(rows[0]!);
      const add = store.prepare(
        `INSERT INTO queue_states (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
      );
      for (const row of rows) add.run(...Object.values(row));
    });
    const { violations } = await run([decide]);
    expect(violations.map(({ rule }) => rule)).toContain('tenant');
  });
});

function withStore<Result>(
  { store }: Pick<Stage['places'][0], 'store'>,
  work: (database: DatabaseSync) => Result,
): Result {
  const database = new DatabaseSync(join(store.folder, 'invigilator.sqlite'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}
