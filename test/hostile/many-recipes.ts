import { crowd, markOf, type Cohort } from './cohort.ts';
import { approved, because, press, reviewed, stepsOf, turn, usersFile, type Draw, type Part } from './grammar.ts';
import type { Step, StepInput } from './steps.ts';

const ask = (who: string, input: StepInput): Step => ({ do: 'form', who, ...input, ...because });
const importing = (who: string, rows: readonly string[]): Step =>
  ask(who, { operation: 'import-users', values: usersFile(rows) });
const approving = [reviewed('ben'), approved('ben')];
/** After the first row, whose answer comes late. */
const meanwhile = (between: Part): Part => [{ do: 'await change' }, between, { do: 'give back' }];

/** Rows of a file: a new user, and one who is there already and gets another address. */
export function newUsers(draw: Draw, { number, people }: Cohort) {
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
export function manyRecipe(draw: Draw, cohort: Cohort, kills: boolean): Step[] {
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
