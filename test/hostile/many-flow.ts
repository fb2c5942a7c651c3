import { campaignRecipe, manyRecipe, newUsers } from './many-recipes.ts';
import { crowd, markOf, personHandles, type Cohort } from './cohort.ts';
import {
  approved,
  because,
  campaignFor,
  press,
  reviewed,
  stepsOf,
  turn,
  usersFile,
  type Draw,
  type Part,
} from './grammar.ts';
import type { Step, StepInput, Turn } from './steps.ts';

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
export function manyFlow(draw: Draw, cohort: Cohort, kills: boolean): Step[] {
  const { chance, maybe } = draw;
  if (chance(0.4)) return manyRecipe(draw, cohort, kills);
  if (chance(0.45)) return campaignRecipe(draw);
  const { makers, input, targets, start } = makingOf(draw, cohort);
  const maker = draw.pick(makers);
  const reviewer = draw.pick(reviewers);
  const someone = () => (chance(0.6) ? maker : draw.pick(personHandles));
  const pressed = (operation: string, who: string, more: Partial<StepInput> = {}) =>
    press(draw, operation, who, { ways: ['button', 'button', 'form'], ...more });
  const changes = (share: number) =>
    maybe(share, () => draw.times(1, 2, () => changeOf(draw, { cohort, maker, targets })));
  const approval = (share: number) =>
    maybe(share, () => [
      reviewed(reviewer),
      changes(0.15),
      approved(chance(0.9) ? reviewer : draw.pick(personHandles)),
    ]);
  const whileDown = () => (chance(0.6) ? { whileDown: turnOf(draw, [maker, ...targets]) } : {});
  const kill = (share: number): Part => (kills && chance(share) ? { do: 'kill', ...whileDown() } : undefined);
  const tries = (operations: readonly string[]) =>
    maybe(0.3, () => pressed(draw.pick(operations), draw.pick(personHandles)));

  const isKeptBack = chance(0.6);
  const isPaused = isKeptBack && start === 'run-batch' && chance(0.5);
  const startKill = kills && !isKeptBack && chance(0.5) ? { act: 'kill' as const, ...whileDown() } : undefined;
  const startStep = () => {
    const interruption = startKill && { after: draw.between(1, 8), ...startKill };
    return { ...pressed(start, maker), ...(interruption && { interruption }) };
  };
  return stepsOf(
    { do: 'form', who: maker, ...because, ...input },
    tries([start]),
    changes(0.4),
    isKeptBack ? { do: 'keep back' } : undefined,
    startStep(),
    approval(0.6),
    isKeptBack
      ? [
          { do: 'await change' },
          isPaused ? pressed('pause-batch', someone()) : undefined,
          changes(0.7),
          kill(0.3),
          { do: 'give back' },
        ]
      : kill(0.2),
    isPaused ? [{ do: 'await batches' }, changes(0.4), pressed('resume-batch', someone())] : undefined,
    isPaused ? maybe(0.5, () => pressed('resume-batch', maker)) : undefined,
    tries(['cancel-batch', 'undo-batch', 'batch-result', 'show-plan', 'run-batch', 'add-to-campaign']),
    start === 'run-campaign'
      ? maybe(0.7, () => [pressed('add-to-campaign', maker, { assignees: addedTo(draw) }), approval(0.5)])
      : maybe(0.3, () => [
          { do: 'await batches' },
          pressed('undo-batch', maker),
          changes(0.4),
          pressed('run-batch', maker),
          approval(0.5),
        ]),
  );
}

const addedTo = (draw: Draw): string[] => draw.pick([['user lea'], crowd, ['user kai'], ['user tess', 'user lea']]);

function makingOf(draw: Draw, cohort: Cohort): Making {
  const start = 'run-batch';
  switch (draw.pick(kinds)) {
    case 'import':
      return {
        makers: ['tom', 'tim', 'uma', 'ada', 'ben', 'owner'],
        input: { operation: 'import-users', values: fileOf(draw, cohort) },
        targets: ['ravi', 'rosa'],
        start,
      };
    case 'group':
      return {
        makers: ['tom', 'tim', 'ada', 'ben', 'owner'],
        input: {
          operation: draw.pick(['suspend-group', 'reinstate-group', 'reinstate-group', 'empty-group']),
          group: 'a',
        },
        targets: ['rex', 'rex', 'ravi', 'rosa', 'tess'],
        start,
      };
    case 'assign':
      return {
        makers: ['tom', 'tim', 'erin', 'eli', 'ada', 'owner'],
        input: { operation: draw.pick(['assign-quiz', 'assign-quiz', 'unassign-quiz']), quiz: 'a', assignees: crowd },
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
        input: campaignFor(draw.pick([['user kai'], ['user kai', 'user tess'], ['user lea', 'user kai'], crowd])),
        targets: ['kai', 'lea'],
        start: 'run-campaign',
      };
  }
}

/** A file with new users, and users who are there already with what differs; the last row gives someone rights. */
function fileOf(draw: Draw, cohort: Cohort): Record<string, readonly string[]> {
  const { created, moved } = newUsers(draw, cohort);
  const withRights = (type: string) => created(type) + (type === 'respondent' ? '' : 'manage users');
  const rows = [
    created('respondent'),
    ...(draw.chance(0.6) ? [moved('rosa'), moved('ravi')] : [created('respondent')]),
    ...(draw.chance(0.7) ? [withRights(draw.pick(['administrator', 'trainer']))] : []),
  ];
  return usersFile(rows);
}

/** The quiz user behind a person who has another handle. */
const userOf: Readonly<Record<string, string>> = { owner: 'tim', twin: 'ada' };

/** Something else that the start depends on: of its owner, or of somebody whom it changes. */
function changeOf(
  draw: Draw,
  { cohort, maker, targets }: { cohort: Cohort; maker: string; targets: readonly string[] },
): Step {
  const user = draw.chance(0.5) ? (userOf[maker] ?? maker) : draw.pick(targets);
  if (draw.chance(0.4)) return turn(turnOf(draw, [user]));
  const who = draw.pick(administrators.filter((administrator) => administrator !== user));
  const moved = `moved.${markOf(cohort.number)}.${draw.between(1, 1_000_000)}@hostile.example`;
  const values = draw.pick<Record<string, string[]>>(
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
  const input: StepInput = draw.chance(0.8)
    ? { operation: 'update-user', user, values }
    : { operation: draw.pick(['suspend-user', 'reinstate-user']), user };
  return { do: 'form', who, ...input, ...because };
}

function turnOf(draw: Draw, users: readonly string[]): Turn {
  if (draw.chance(0.15)) return { turn: 'close quiz', quiz: 'a' };
  return {
    turn: draw.pick([
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
    user: draw.pick(users),
  };
}
