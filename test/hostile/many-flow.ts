import type { SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { campaignRecipe } from './campaign-recipes.ts';
import { crowdHandles, markOf, personHandles, type Cohort } from './cohort.ts';
import { manyRecipe } from './many-recipes.ts';
import type { Interruption, Step, StepInput, Turn } from './steps.ts';

type Press = Extract<Step, StepInput>;

interface Making {
  /** The people who may have the preview made, and some who may not start it. */
  makers: readonly string[];
  input: StepInput;
  /** The users whom the rows change. */
  targets: readonly string[];
  /** The operation that starts the plan. */
  start: 'run-batch' | 'run-campaign';
}

const kinds = ['import', 'import', 'group', 'group', 'assign', 'join', 'campaign'] as const;
const reviewers = ['ada', 'ben', 'owner', 'twin', 'tim', 'amy'];
const administrators = ['ada', 'ben', 'owner'];

/**
 * Many changes: a preview, its start, perhaps an approval, a pause and what others try, while the rights of its owner, or its
 * targets, change through the bot or without it.
 */
export function manyFlow(random: SeededRandom, cohort: Cohort, kills: boolean): Step[] {
  const chance = (share: number) => random.number() < share;
  if (chance(0.4)) return manyRecipe(random, cohort, kills);
  if (chance(0.45)) return campaignRecipe(random);
  const { makers, input, targets, start } = makingOf(random, cohort);
  const maker = random.pick(makers);
  const reviewer = random.pick(reviewers);
  const someone = () => (chance(0.6) ? maker : random.pick(personHandles));
  const press = (
    operation: string,
    who: string,
    more: { interruption?: Interruption; assignees?: readonly string[] } = {},
  ): Press => ({
    do: random.pick(['button', 'button', 'form'] as const),
    who,
    operation,
    latest: 0,
    reason: 'It has to be',
    ...more,
  });
  const change = (): Step => changeOf(random, { cohort, maker, targets });
  const changes = (share: number): Step[] =>
    chance(share) ? Array.from({ length: random.between(1, 2) }, change) : [];
  const approval = (share: number): Step[] =>
    chance(share)
      ? [
          { do: 'review', who: reviewer, request: 0 },
          ...changes(0.15),
          { do: 'decide', who: chance(0.9) ? reviewer : random.pick(personHandles), request: 0, verdict: 'approved' },
        ]
      : [];
  const whileDown = () => (chance(0.6) ? { whileDown: turnOf(random, [maker, ...targets]) } : {});
  const kill = (share: number): Step[] => (kills && chance(share) ? [{ do: 'kill', ...whileDown() }] : []);
  const tries = (operations: readonly string[]): Step[] =>
    chance(0.3) ? [press(random.pick(operations), random.pick(personHandles))] : [];

  const isKeptBack = chance(0.6);
  const isPaused = isKeptBack && start === 'run-batch' && chance(0.5);
  const startKill = kills && !isKeptBack && chance(0.5) ? { act: 'kill' as const, ...whileDown() } : undefined;
  return [
    { do: 'form', who: maker, reason: 'It has to be', ...input },
    ...tries([start]),
    ...changes(0.4),
    ...(isKeptBack ? [{ do: 'keep back' } as const] : []),
    press(start, maker, startKill && { interruption: { after: random.between(1, 8), ...startKill } }),
    ...approval(0.6),
    ...(isKeptBack
      ? [
          { do: 'await change' } as const,
          ...(isPaused ? [press('pause-batch', someone())] : []),
          ...changes(0.7),
          ...kill(0.3),
          { do: 'give back' } as const,
        ]
      : kill(0.2)),
    ...(isPaused ? [{ do: 'await batches' } as const, ...changes(0.4), press('resume-batch', someone())] : []),
    ...(isPaused && chance(0.5) ? [press('resume-batch', maker)] : []),
    ...tries(['cancel-batch', 'undo-batch', 'batch-result', 'show-plan', 'run-batch', 'add-to-campaign']),
    ...(start === 'run-campaign' && chance(0.7)
      ? [press('add-to-campaign', maker, { assignees: addedTo(random) }), ...approval(0.5)]
      : []),
    ...(start === 'run-batch' && chance(0.3)
      ? [
          { do: 'await batches' } as const,
          press('undo-batch', maker),
          ...changes(0.4),
          press('run-batch', maker),
          ...approval(0.5),
        ]
      : []),
  ];
}

const addedTo = (random: SeededRandom): string[] =>
  random.pick([['user lea'], crowdHandles.map((handle) => `user ${handle}`), ['user kai'], ['user tess', 'user lea']]);

function makingOf(random: SeededRandom, cohort: Cohort): Making {
  const crowd = crowdHandles.map((handle) => `user ${handle}`);
  const start = 'run-batch';
  switch (random.pick(kinds)) {
    case 'import':
      return {
        makers: ['tom', 'tim', 'uma', 'ada', 'ben', 'owner'],
        input: { operation: 'import-users', values: fileOf(random, cohort) },
        targets: ['ravi', 'rosa'],
        start,
      };
    case 'group':
      return {
        makers: ['tom', 'tim', 'ada', 'ben', 'owner'],
        input: {
          operation: random.pick(['suspend-group', 'reinstate-group', 'reinstate-group', 'empty-group']),
          group: 'a',
        },
        targets: ['rex', 'rex', 'ravi', 'rosa', 'tess'],
        start,
      };
    case 'assign':
      return {
        makers: ['tom', 'tim', 'erin', 'eli', 'ada', 'owner'],
        input: { operation: random.pick(['assign-quiz', 'assign-quiz', 'unassign-quiz']), quiz: 'a', assignees: crowd },
        targets: ['crowd22'],
        start,
      };
    case 'join':
      return {
        makers: ['tom', 'tim', 'ada', 'owner'],
        input: { operation: 'add-to-group', group: 'a', assignees: crowd },
        targets: ['crowd22'],
        start,
      };
    case 'campaign':
      return {
        makers: ['tom', 'tim', 'erin', 'ada', 'owner'],
        input: {
          operation: 'start-campaign',
          quiz: 'a',
          assignees: random.pick([['user kai'], ['user kai', 'user tess'], ['user lea', 'user kai'], crowd]),
          values: { people: [], channels: [], except: [], due: ['in 2 weeks'] },
        },
        targets: ['kai', 'lea'],
        start: 'run-campaign',
      };
  }
}

/** A file with new users, and users who are there already with what differs; the last row gives someone rights. */
function fileOf(random: SeededRandom, { number, people }: Cohort): Record<string, readonly string[]> {
  const chance = (share: number) => random.number() < share;
  const address = () => `new.${markOf(number)}.${random.between(1, 1_000_000)}@hostile.example`;
  const created = (type: string) => `${address()},,Kim,March,${type},${type === 'respondent' ? '' : 'manage users'}`;
  const updated = (handle: string) => `${people[handle]?.email ?? ''},${address()},,,,`;
  const rows = [
    created('respondent'),
    ...(chance(0.6) ? [updated('rosa'), updated('ravi')] : [created('respondent')]),
    ...(chance(0.7) ? [created(random.pick(['administrator', 'trainer']))] : []),
  ];
  return {
    file: [`User name,E-mail,First name,Last name,Type,Rights\n${rows.join('\n')}\n`],
    user_type: ['respondent'],
    existing: ['update'],
  };
}

/** The quiz user behind a person who has another handle. */
const userOf: Readonly<Record<string, string>> = { owner: 'tim', twin: 'ada' };

/** Something else that the start depends on: of its owner, or of somebody whom it changes. */
function changeOf(
  random: SeededRandom,
  { cohort, maker, targets }: { cohort: Cohort; maker: string; targets: readonly string[] },
): Step {
  const user = random.number() < 0.5 ? (userOf[maker] ?? maker) : random.pick(targets);
  if (random.number() < 0.4) return { do: 'turn', turn: turnOf(random, [user]) };
  const who = random.pick(administrators.filter((administrator) => administrator !== user));
  const moved = `moved.${markOf(cohort.number)}.${random.between(1, 1_000_000)}@hostile.example`;
  const values = random.pick<Record<string, string[]>>(
    user === (userOf[maker] ?? maker)
      ? [
          { user_type: ['trainer'] },
          { user_type: ['trainer'] },
          { user_type: ['respondent'] },
          { manage_users: ['false'] },
          { edit_quizzes: ['false'] },
          { manage_groups: ['false'] },
        ]
      : [
          { user_type: ['administrator'], manage_users: ['true'] },
          { user_type: ['administrator'], manage_users: ['true'] },
          { user_type: ['trainer'] },
          { email_address: [moved] },
        ],
  );
  const input: StepInput =
    random.number() < 0.8
      ? { operation: 'update-user', user, values }
      : { operation: random.pick(['suspend-user', 'reinstate-user']), user };
  return { do: 'form', who, ...input, reason: 'It has to be' };
}

function turnOf(random: SeededRandom, users: readonly string[]): Turn {
  if (random.number() < 0.15) return { turn: 'close quiz', quiz: 'a' };
  return {
    turn: random.pick([
      'make trainer',
      'retrain',
      'retrain',
      'promote',
      'promote',
      'unflag',
      'demote',
      'suspend',
      'reinstate',
      'readdress',
      'untrain',
      'leave',
    ] as const),
    user: random.pick(users),
  };
}
