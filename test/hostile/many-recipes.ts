import type { SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { crowdHandles, markOf, type Cohort } from './cohort.ts';
import type { Step, StepInput } from './steps.ts';

const columns = 'User name,E-mail,First name,Last name,Type,Rights';

/** What the recipes are made of. */
function ingredientsOf(random: SeededRandom, cohort: Cohort) {
  const address = () => `new.${markOf(cohort.number)}.${random.between(1, 1_000_000)}@hostile.example`;
  const ask = (who: string, input: StepInput): Step => ({ do: 'form', who, ...input, reason: 'It has to be' });
  const press = (operation: string, who: string, more: Partial<StepInput> = {}): Step => ({
    do: random.pick(['button', 'form'] as const),
    who,
    operation,
    latest: 0,
    reason: 'It has to be',
    ...more,
  });
  return {
    ask,
    press,
    created: (type: string) => `${address()},,Kim,March,${type},`,
    moved: (handle: string) => `${cohort.people[handle]?.email ?? ''},${address()},,,,`,
    importing: (who: string, rows: readonly string[]): Step =>
      ask(who, {
        operation: 'import-users',
        values: { file: [`${columns}\n${rows.join('\n')}\n`], user_type: ['respondent'], existing: ['update'] },
      }),
    approving: [
      { do: 'review', who: 'ben', request: 0 },
      { do: 'decide', who: 'ben', request: 0, verdict: 'approved' },
    ] satisfies Step[],
    /** The owner pauses after the first row, and resumes after the rest. */
    paused: (who: string, between: readonly Step[]): Step[] => [
      { do: 'await change' },
      press('pause-batch', who),
      { do: 'give back' },
      { do: 'await batches' },
      ...between,
      press('resume-batch', who),
    ],
    /** After the first row, whose answer comes late. */
    meanwhile: (between: readonly Step[]): Step[] => [{ do: 'await change' }, ...between, { do: 'give back' }],
  };
}

/** Many changes whose owner, or target, changes at the worst moment. Chance rarely finds these alone. */
export function manyRecipe(random: SeededRandom, cohort: Cohort, kills: boolean): Step[] {
  const chance = (share: number) => random.number() < share;
  const { ask, press, created, moved, importing, approving, paused, meanwhile } = ingredientsOf(random, cohort);
  const trainer = random.pick(['tom', 'tim']);

  switch (random.pick(kills ? [1, 2, 2, 2, 3, 4, 5, 6] : [1, 3, 4, 4, 5, 5, 6])) {
    case 1: {
      // The owner of an import loses what a later row needs.
      const [owner, other] = random.pick([
        ['ada', 'ben'],
        ['ben', 'ada'],
      ] as const);
      const demotion: Step = chance(0.4)
        ? ask(other, { operation: 'update-user', user: owner, values: { user_type: ['trainer'] } })
        : { do: 'turn', turn: { turn: 'make trainer', user: owner } };
      return [
        importing(owner, [created('respondent'), created('respondent'), created('trainer')]),
        { do: 'keep back' },
        press('run-batch', owner),
        ...(chance(0.5) ? paused(owner, [demotion]) : meanwhile([demotion])),
      ];
    }
    case 2: {
      // The rights go between the start and the first row.
      const loss = { turn: random.pick(['unflag', 'demote', 'suspend'] as const), user: trainer };
      return [
        importing(trainer, [created('respondent'), created('respondent'), created('respondent')]),
        {
          ...press('run-batch', trainer),
          interruption: { after: random.between(2, 6), act: 'kill', whileDown: loss },
        } as Step,
      ];
    }
    case 3: {
      // An approved row’s target becomes somebody else.
      const promotion: Step = chance(0.5)
        ? ask('ada', {
            operation: 'update-user',
            user: 'ravi',
            values: { user_type: ['trainer'], manage_users: ['true'] },
          })
        : { do: 'turn', turn: { turn: 'promote', user: 'ravi' } };
      return [
        importing(trainer, [created('respondent'), moved('ravi')]),
        { do: 'keep back' },
        press('run-batch', trainer),
        ...approving,
        ...(chance(0.5) ? paused(trainer, [promotion]) : meanwhile([promotion])),
      ];
    }
    case 4: {
      // A respondent of the preview becomes an administrator, or is the trainer’s no more.
      // Through the bot, whose list of users can be seconds old.
      const leaving = ask('ada', { operation: 'remove-from-group', user: 'sam', group: 'a' });
      if (chance(0.6))
        return [
          leaving,
          ask('ada', { operation: 'suspend-user', user: 'ravi' }),
          ask(trainer, { operation: 'reinstate-group', group: 'a' }),
          { do: 'keep back' },
          press('run-batch', trainer),
          // Only one of them is left by then.
          ...meanwhile(
            ['rex', 'ravi'].map((user): Step => ({
              do: 'turn',
              turn: { turn: random.pick(['leave', 'promote', 'promote']), user },
            })),
          ),
        ];
      return [
        leaving,
        ask(trainer, { operation: 'reinstate-group', group: 'a' }),
        ask('ada', { operation: 'update-user', user: 'rex', values: { user_type: ['trainer'] } }),
        press('run-batch', trainer),
        ...(chance(0.3) ? approving : []),
      ];
    }
    case 5: {
      // The quiz of the preview is no longer the trainer’s.
      const loss: Step = { do: 'turn', turn: { turn: 'retrain', user: trainer } };
      const preview = ask(trainer, {
        operation: 'assign-quiz',
        quiz: 'a',
        assignees: crowdHandles.map((handle) => `user ${handle}`),
      });
      return chance(0.5)
        ? [preview, loss, press('run-batch', trainer)]
        : [preview, { do: 'keep back' }, press('run-batch', trainer), ...paused(trainer, [loss])];
    }
    default:
      // Somebody else’s user has the name of a new one whose answer is lost.
      return [
        importing(trainer, [created('respondent'), created('respondent')]),
        { do: 'lose creation' },
        press('run-batch', trainer),
        { do: 'await batches' },
      ];
  }
}

/** An approved import rests for longer than its approval lasts, and goes on. */
export function leapRecipe(random: SeededRandom, cohort: Cohort): Step[] {
  const chance = (share: number) => random.number() < share;
  const { press, created, moved, importing, approving, paused, meanwhile } = ingredientsOf(random, cohort);
  const trainer = random.pick(['tom', 'tim']);
  const rest: Step[] = [{ do: 'leap' }];
  return [
    importing(trainer, [created('respondent'), moved('ravi'), moved('rosa')]),
    { do: 'keep back' },
    press('run-batch', trainer),
    ...approving,
    ...(chance(0.7) ? paused(trainer, rest) : meanwhile(rest)),
    ...(chance(0.6) ? approving : []),
  ];
}
