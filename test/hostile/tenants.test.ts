import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { channelIdOf, idPartOf, markOf, slackIdOf } from './cohort.ts';
import { crossingFlow } from './crossing-flow.ts';
import { drawFrom } from './grammar.ts';
import { shareStage, type Played } from './played.ts';
import type { Place } from './place.ts';
import { foreignParts, type Step } from './steps.ts';
import { strangersKept } from './leaks.ts';

const elsewhere = (step: Step): Step => ({ do: 'elsewhere', step });
const reason = 'It has to be';

/** What the people of the other tenant leave: a request, a token, a plan and a subscription. */
const left: readonly Step[] = [
  { do: 'form', who: 'tom', operation: 'suspend-user', user: 'rosa', reason },
  { do: 'command', who: 'erin', operation: 'make-token', values: { name: ['agent 1'] } },
  { do: 'form', who: 'ada', operation: 'suspend-group', group: 'a' },
  { do: 'command', who: 'erin', operation: 'subscribe-channel', quiz: 'a', values: { delivery: ['hourly'] } },
];

const inWorlds = { 'two workspaces': shareStage(8, 'two workspaces'), 'one workspace': shareStage(3, 'one workspace') };
const takeCohort = inWorlds['two workspaces'];

describe.each(Object.entries(inWorlds))('two tenants, %s,', (_, takeHere) => {
  test('act for their own people, and nobody finds anything of the other', async () => {
    const { run, stage, of, changes } = takeHere();
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
    expect(changes().map(({ table }) => table)).toEqual(['quizzes']);
    expect(stage.journal.changes(of + 500).map(({ table }) => table)).toEqual(['subscriptions']);
    expect(strangersKept(stage)).toEqual([]);
  });

  test('refuse each other’s addresses and secrets', async () => {
    const { run, stage, cohort } = takeHere();
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
    const closed = (by: number) => stage.journal.changes(by).map(({ after }) => after?.['quiz_id']);
    const { quizzes, other, number } = cohort;
    expect(closed(number)).toEqual([quizzes['b'], quizzes['a']]);
    expect(closed(number + 500)).toEqual([other?.quizzes['a']]);
  });
});

test('the sequences take everything of the other tenant that there is, by every door', () => {
  const { cohort } = takeCohort();
  const steps = Array.from({ length: 1_000 }, (_, seed) =>
    crossingFlow(drawFrom(createSeededRandom(seed)), cohort, { own: [], there: left }),
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
  const thereOf = ({ stage, cohort }: Played) => stage.placeOf(cohort.other!);
  const setRosa = (played: Played, what: string) =>
    thereOf(played).service.database.run(
      `UPDATE users SET ${what} WHERE user_id = '${played.cohort.other?.users['rosa']}'`,
    );

  test('a change in the other tenant that nobody there asked for', async () => {
    const played = takeCohort();
    expect(await played.violationsOf([nothing], () => setRosa(played, 'suspended = 1'))).toEqual(['policy']);
  });

  test('a record that one tenant makes in the account of the other', () => {
    const played = takeCohort();
    const { journal } = played.stage;
    setRosa(played, `user_name = 'new.${markOf(played.of)}@hostile.example'`);
    thereOf(played).service.database.run(
      `INSERT INTO groups (group_id, group_name) VALUES ('c0000000-0000${idPartOf(played.of)}0009', 'New')`,
    );
    journal.tick();
    expect(journal.strays.map(({ table }) => table)).toEqual(['groups']);
  });

  test.each([
    ['a person', ({ of }: Played) => slackIdOf(of, 'ada')],
    ['a channel', ({ of }: Played) => channelIdOf(of, 'a')],
  ])('a word of the other tenant in front of %s', async (_, readerIn) => {
    const played = takeCohort();
    const { tenant, other } = played.cohort;
    const text = `Ask ${other?.people['ada']?.email}`;
    const seen = { tenant, reader: readerIn(played), text, isView: false, step: undefined };
    expect(await played.violationsOf([nothing], () => played.stage.seenTexts.push(seen))).toEqual(['tenant']);
  });

  test('a word of the other tenant in the log', () => {
    const { stage, of } = takeCohort();
    const person = slackIdOf(of + 500, 'ada');
    stage.logLines.push(...['north', 'south'].map((tenant) => `${JSON.stringify({ tenant, person })}\n`));
    expect(strangersKept(stage).map(({ message }) => message)).toEqual([
      expect.stringContaining('in the log of north'),
    ]);
  });

  test('a request of the other tenant that is in the store of this one as well', async () => {
    const played = inWorlds['one workspace']();
    const { run, stage, cohort } = played;
    expect(await run(left.slice(0, 1).map(elsewhere))).toMatchObject({ violations: [] });
    const [request] = thereOf(played).store.requests(cohort.other!.number);
    const rows = withStore(thereOf(played), (store) =>
      store.prepare('SELECT * FROM queue_states WHERE queue GLOB ?').all(`request/*/${request!.id}`),
    );
    const decide: Step = {
      do: 'decide',
      who: 'ada',
      request: 0,
      metadata: request!.id,
      verdict: 'approved',
      foreign: ['request'],
    };
    expect(await run([decide])).toMatchObject({ violations: [], outcomes: { 'decide across: refused': 1 } });
    withStore(stage.placeOf(cohort), (store) => {
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

function withStore<Result>({ store }: Pick<Place, 'store'>, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(store.folder, 'invigilator.sqlite'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}
