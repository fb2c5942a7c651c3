import type { SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { crowdHandles } from './cohort.ts';
import { grantKinds } from './grants.ts';
import type { Step, StepInput, Turn } from './steps.ts';

/** They train `kai` and `tess`, and not `lea` or the crowd. */
const trainers = ['tom', 'tim'];
const trained = [['user kai'], ['user kai', 'user tess'], ['group a']];
const others = [['user lea'], ['user lea', 'user kai'], ['group b'], crowdHandles.map((handle) => `user ${handle}`)];
const administrators = ['ada', 'ben', 'owner'];

/** A campaign that starts, or that people are added to, while its quiz, its people or its owner change. */
export function campaignRecipe(random: SeededRandom): Step[] {
  const chance = (share: number) => random.number() < share;
  const owner = random.pick(trainers);
  const press = (operation: string, who: string, assignees?: readonly string[]): Step => ({
    do: random.pick(['button', 'form'] as const),
    who,
    operation,
    latest: 0,
    reason: 'It has to be',
    ...(assignees && { assignees }),
  });
  const some = () => random.pick(chance(0.5) ? trained : others);
  const approving: Step[] = [
    { do: 'review', who: 'ben', request: 0 },
    { do: 'decide', who: 'ben', request: 0, verdict: 'approved' },
  ];
  const reviewedFirst = chance(0.5) ? approving.slice(0, 1) : [];
  const closing: Step = { do: 'turn', turn: { turn: 'close quiz', quiz: 'a' } };
  const change = (): Step => (chance(0.5) ? closing : { do: 'turn', turn: turnOf(random, owner) });
  const started = (who: string, assignees: readonly string[]): Step[] => [
    preview(who, assignees),
    press('run-campaign', who),
    { do: 'await batches' },
  ];

  switch (random.pick([1, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6, 7])) {
    case 1:
      // People whom the owner does not train are added to a campaign for people whom the owner trains.
      return [
        ...started(owner, random.pick(trained)),
        press('add-to-campaign', owner, random.pick(others)),
        ...(chance(0.5) ? approving : []),
      ];
    case 2:
      // A request to start it waits.
      return [
        preview(owner, random.pick(others)),
        press('run-campaign', owner),
        ...reviewedFirst,
        change(),
        ...approving,
      ];
    case 3: {
      // A step of a workflow starts it, or assigns the quiz.
      const operation = random.pick(['start-campaign', 'start-campaign', 'start-campaign', 'assign-quiz']);
      const who = chance(0.7)
        ? random.pick([...trainers, ...administrators])
        : random.pick(['uma', 'nora', 'rosa', 'erin']);
      return [
        ...(chance(0.8) ? [chance(0.65) ? closing : change()] : []),
        {
          do: 'workflow step',
          who,
          ...campaignOf(some()),
          operation,
          ...(chance(0.1) && { grant: random.pick(grantKinds) }),
        },
        ...(chance(0.6) ? [...reviewedFirst, ...(chance(0.5) ? [change()] : []), ...approving] : []),
      ];
    }
    case 4:
      // What the preview rests on changes before its start, also by somebody who only decides on it.
      return [
        preview(owner, some()),
        ...(chance(0.6) ? [press('run-campaign', random.pick(administrators))] : []),
        ...(chance(0.7) ? [change()] : []),
        press('run-campaign', owner),
        ...(chance(0.5) ? approving : []),
      ];
    case 5: {
      // An administrator’s campaign needs no approval, and its quiz is closed before more people come.
      const who = random.pick(administrators);
      return [...started(who, some()), ...(chance(0.7) ? [change()] : []), press('add-to-campaign', who, some())];
    }
    case 6:
      // The owner stops training the people of the preview.
      return [
        preview(owner, random.pick(trained)),
        { do: 'turn', turn: { turn: 'untrain', user: owner } },
        press('run-campaign', owner),
      ];
    default:
      // A request to add people waits.
      return [
        ...started(owner, random.pick(trained)),
        press('add-to-campaign', owner, random.pick(others)),
        ...reviewedFirst,
        change(),
        ...approving,
      ];
  }
}

const campaignOf = (assignees: readonly string[]): StepInput => ({
  operation: 'start-campaign',
  quiz: 'a',
  assignees,
  values: { people: [], channels: [], except: [], due: ['in 2 weeks'] },
  reason: 'It has to be',
});

const preview = (who: string, assignees: readonly string[]): Step => ({ do: 'form', who, ...campaignOf(assignees) });

function turnOf(random: SeededRandom, owner: string): Turn {
  return random.pick<Turn>([
    { turn: random.pick(['leave', 'suspend', 'delete', 'promote']), user: random.pick(['kai', 'tess', 'lea']) },
    { turn: random.pick(['retrain', 'unflag', 'demote', 'suspend', 'untrain']), user: owner },
  ]);
}
