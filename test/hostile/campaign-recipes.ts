import { crowd } from './cohort.ts';
import { approved, because, campaignFor, press, reviewed, stepsOf, turn, type Draw } from './grammar.ts';
import { grantKinds } from './grants.ts';
import type { Step, Turn } from './steps.ts';

/** They train `kai` and `tess`, and not `lea` or the crowd. */
const trainers = ['tom', 'tim'];
const trained = [['user kai'], ['user kai', 'user tess'], ['group a']];
const others = [['user lea'], ['user lea', 'user kai'], ['group b'], crowd];
const administrators = ['ada', 'ben', 'owner'];

/** A campaign that starts, or that people are added to, while its quiz, its people or its owner change. */
export function campaignRecipe(draw: Draw): Step[] {
  const { chance, maybe } = draw;
  const owner = draw.pick(trainers);
  const adding = (who: string, assignees: readonly string[]) => press(draw, 'add-to-campaign', who, { assignees });
  const some = () => draw.pick(chance(0.5) ? trained : others);
  const approving = [reviewed('ben'), approved('ben')];
  const reviewedFirst = maybe(0.5, () => reviewed('ben'));
  const closing = turn({ turn: 'close quiz', quiz: 'a' });
  const change = () => (chance(0.5) ? closing : turn(turnOf(draw, owner)));
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

function turnOf(draw: Draw, owner: string): Turn {
  return draw.pick<Turn>([
    { turn: draw.pick(['leave', 'suspend', 'delete', 'promote']), user: draw.pick(['kai', 'tess', 'lea']) },
    { turn: draw.pick(['retrain', 'unflag', 'demote', 'suspend', 'untrain']), user: owner },
  ]);
}
