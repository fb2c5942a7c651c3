import { grantKinds } from './proofs.ts';
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

const ask = (who: string, input: StepInput): Step => ({ do: 'form', who, ...input, ...because });
const importing = (who: string, rows: readonly string[]): Step =>
  ask(who, { operation: 'import-users', values: usersFile(rows) });
const approving = [reviewed('ben'), approved('ben')];
/** After the first row, whose answer comes late. */
const meanwhile = (between: Part): Part => [{ do: 'await change' }, between, { do: 'give back' }];

/** Rows of a file: a new user, and one who is there already and gets another address. */
function newUsers(draw: Draw, { number, people }: Cohort) {
  const address = () => `new.${markOf(number)}.${draw.between(1, 1_000_000)}@hostile.example`;
  return {
    created: (type: string) => `${address()},,Kim,March,${type},`,
    moved: (handle: string) => `${people[handle]?.email ?? ''},${address()},,,,`,
  };
}

/** The owner pauses after the first row, and resumes after the rest. */
const paused = (draw: Draw, who: string, between: Part): Part => [
  { do: 'await change' },
  press(draw, 'pause-batch', who),
  { do: 'give back' },
  { do: 'await batches' },
  between,
  press(draw, 'resume-batch', who),
];

/** Many changes whose owner, or target, changes at the worst moment. Chance rarely finds these alone. */
function manyRecipe(draw: Draw, cohort: Cohort, kills: boolean): Step[] {
  const { chance } = draw;
  const { created, moved } = newUsers(draw, cohort);
  const trainer = draw.pick(['tom', 'tim']);

  switch (draw.pick(kills ? [1, 2, 2, 2, 3, 4, 5, 6] : [1, 3, 4, 4, 5, 5, 6])) {
    case 1: {
      // The owner of an import loses what a later row needs.
      const [owner, other] = draw.pick([
        ['ada', 'ben'],
        ['ben', 'ada'],
      ] as const);
      const demotion: Step = chance(0.4)
        ? ask(other, { operation: 'update-user', user: owner, values: { user_type: ['trainer'] } })
        : turn({ turn: 'make trainer', user: owner });
      return stepsOf(
        importing(owner, [created('respondent'), created('respondent'), created('trainer')]),
        { do: 'keep back' },
        press(draw, 'run-batch', owner),
        chance(0.5) ? paused(draw, owner, demotion) : meanwhile(demotion),
      );
    }
    case 2: {
      // The rights go between the start and the first row.
      const loss = { turn: draw.pick(['unflag', 'demote', 'suspend'] as const), user: trainer };
      return stepsOf(importing(trainer, [created('respondent'), created('respondent'), created('respondent')]), {
        ...press(draw, 'run-batch', trainer),
        interruption: { after: draw.between(2, 6), act: 'kill', whileDown: loss },
      });
    }
    case 3: {
      // An approved row’s target becomes somebody else.
      const promotion: Step = chance(0.5)
        ? ask('ada', {
            operation: 'update-user',
            user: 'ravi',
            values: { user_type: ['trainer'], manage_users: ['true'] },
          })
        : turn({ turn: 'promote', user: 'ravi' });
      return stepsOf(
        importing(trainer, [created('respondent'), moved('ravi')]),
        { do: 'keep back' },
        press(draw, 'run-batch', trainer),
        approving,
        chance(0.5) ? paused(draw, trainer, promotion) : meanwhile(promotion),
      );
    }
    case 4: {
      // A respondent of the preview becomes an administrator, or is the trainer’s no more.
      // Through the bot, whose list of users can be seconds old.
      const leaving = ask('ada', { operation: 'remove-from-group', user: 'sam', group: 'a' });
      if (chance(0.6))
        return stepsOf(
          leaving,
          ask('ada', { operation: 'suspend-user', user: 'ravi' }),
          ask(trainer, { operation: 'reinstate-group', group: 'a' }),
          { do: 'keep back' },
          press(draw, 'run-batch', trainer),
          // Only one of them is left by then.
          meanwhile(['rex', 'ravi'].map((user) => turn({ turn: draw.pick(['leave', 'promote', 'promote']), user }))),
        );
      return stepsOf(
        leaving,
        ask(trainer, { operation: 'reinstate-group', group: 'a' }),
        ask('ada', { operation: 'update-user', user: 'rex', values: { user_type: ['trainer'] } }),
        press(draw, 'run-batch', trainer),
        chance(0.3) ? approving : [],
      );
    }
    case 5: {
      // The quiz of the preview is no longer the trainer’s.
      const loss: Step = turn({ turn: 'retrain', user: trainer });
      const preview = ask(trainer, { operation: 'assign-quiz', quiz: 'a', assignees: crowd });
      return chance(0.5)
        ? [preview, loss, press(draw, 'run-batch', trainer)]
        : stepsOf(preview, { do: 'keep back' }, press(draw, 'run-batch', trainer), paused(draw, trainer, loss));
    }
    default:
      // Somebody else’s user has the name of a new one whose answer is lost.
      return stepsOf(
        importing(trainer, [created('respondent'), created('respondent')]),
        { do: 'lose creation' },
        press(draw, 'run-batch', trainer),
        { do: 'await batches' },
      );
  }
}

/** An approved import rests for longer than its approval lasts, and goes on. */
export function leapRecipe(draw: Draw, cohort: Cohort): Step[] {
  const { created, moved } = newUsers(draw, cohort);
  const trainer = draw.pick(['tom', 'tim']);
  const rest: Step[] = [{ do: 'leap' }];
  return stepsOf(
    importing(trainer, [created('respondent'), moved('ravi'), moved('rosa')]),
    { do: 'keep back' },
    press(draw, 'run-batch', trainer),
    approving,
    draw.chance(0.7) ? paused(draw, trainer, rest) : meanwhile(rest),
    draw.chance(0.6) ? approving : [],
  );
}

/** They train `kai` and `tess`, and not `lea` or the crowd. */
const trainers = ['tom', 'tim'];
const trained = [['user kai'], ['user kai', 'user tess'], ['group a']];
const others = [['user lea'], ['user lea', 'user kai'], ['group b'], crowd];

/** A campaign that starts, or that people are added to, while its quiz, its people or its owner change. */
function campaignRecipe(draw: Draw): Step[] {
  const { chance, maybe } = draw;
  const owner = draw.pick(trainers);
  const adding = (who: string, assignees: readonly string[]) => press(draw, 'add-to-campaign', who, { assignees });
  const some = () => draw.pick(chance(0.5) ? trained : others);
  const reviewedFirst = maybe(0.5, () => reviewed('ben'));
  const closing = turn({ turn: 'close quiz', quiz: 'a' });
  const change = () => (chance(0.5) ? closing : turn(turnOfCampaign(draw, owner)));
  const started = (who: string, assignees: readonly string[]) => [
    preview(who, assignees),
    press(draw, 'run-campaign', who),
    { do: 'await batches' } as const,
  ];

  switch (draw.pick([1, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6, 7])) {
    case 1:
      // People whom the owner does not train are added to a campaign for people whom the owner trains.
      return stepsOf(
        started(owner, draw.pick(trained)),
        adding(owner, draw.pick(others)),
        maybe(0.5, () => approving),
      );
    case 2:
      // A request to start it waits.
      return stepsOf(
        preview(owner, draw.pick(others)),
        press(draw, 'run-campaign', owner),
        reviewedFirst,
        change(),
        approving,
      );
    case 3: {
      // A step of a workflow starts it, or assigns the quiz.
      const operation = draw.pick(['start-campaign', 'start-campaign', 'start-campaign', 'assign-quiz']);
      const who = chance(0.7)
        ? draw.pick([...trainers, ...administrators])
        : draw.pick(['uma', 'nora', 'rosa', 'erin']);
      return stepsOf(
        maybe(0.8, () => (chance(0.65) ? closing : change())),
        {
          do: 'workflow step',
          who,
          ...campaignFor(some()),
          ...because,
          operation,
          ...(chance(0.1) && { grant: draw.pick(grantKinds) }),
        },
        maybe(0.6, () => [reviewedFirst, maybe(0.5, change), approving]),
      );
    }
    case 4:
      // What the preview rests on changes before its start, also by somebody who only decides on it.
      return stepsOf(
        preview(owner, some()),
        maybe(0.6, () => press(draw, 'run-campaign', draw.pick(administrators))),
        maybe(0.7, change),
        press(draw, 'run-campaign', owner),
        maybe(0.5, () => approving),
      );
    case 5: {
      // An administrator’s campaign needs no approval, and its quiz is closed before more people come.
      const who = draw.pick(administrators);
      return stepsOf(started(who, some()), maybe(0.7, change), adding(who, some()));
    }
    case 6:
      // The owner stops training the people of the preview.
      return [
        preview(owner, draw.pick(trained)),
        turn({ turn: 'untrain', user: owner }),
        press(draw, 'run-campaign', owner),
      ];
    default:
      // A request to add people waits.
      return stepsOf(
        started(owner, draw.pick(trained)),
        adding(owner, draw.pick(others)),
        reviewedFirst,
        change(),
        approving,
      );
  }
}

const preview = (who: string, assignees: readonly string[]): Step => ({
  do: 'form',
  who,
  ...campaignFor(assignees),
  ...because,
});

function turnOfCampaign(draw: Draw, owner: string): Turn {
  return draw.pick<Turn>([
    { turn: draw.pick(['leave', 'suspend', 'delete', 'promote']), user: draw.pick(['kai', 'tess', 'lea']) },
    { turn: draw.pick(['retrain', 'unflag', 'demote', 'suspend', 'untrain']), user: owner },
  ]);
}
