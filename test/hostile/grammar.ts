import type { SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { personHandles } from './cohort.ts';
import { turnAbout } from './step-inputs.ts';
import type { Step, StepInput, Turn } from './steps.ts';

/** What a flow is made of: steps, other flows, and parts that chance leaves out. */
export type Part = Step | undefined | readonly Part[];

/** What draws the parts of a flow. Parts are functions where whether they are there is drawn before what is in them. */
export interface Draw extends SeededRandom {
  chance(share: number): boolean;
  /** A part that is there so often. */
  maybe(share: number, part: () => Part): Part;
  /** A part over and over. */
  times(least: number, most: number, part: () => Part): Part;
  /** One of several, each as often as its weight says. */
  oneOf<Value>(weighted: readonly (readonly [weight: number, value: () => Value])[]): Value;
}

export function drawFrom(random: SeededRandom): Draw {
  const chance = (share: number) => random.number() < share;
  return {
    ...random,
    chance,
    maybe: (share, part) => (chance(share) ? part() : undefined),
    times: (least, most, part) => Array.from({ length: random.between(least, most) }, part),
    oneOf(weighted) {
      let left = random.between(
        1,
        weighted.reduce((sum, [weight]) => sum + weight, 0),
      );
      const [, value] = weighted.find(([weight]) => (left -= weight) <= 0)!;
      return value();
    },
  };
}

export function stepsOf(...parts: readonly Part[]): Step[] {
  return parts.flatMap((part) => {
    if (part === undefined) return [];
    return 'do' in part ? [part] : stepsOf(...part);
  });
}

export const because = { reason: 'It has to be' };

/** A step with the latest plan, batch or campaign. */
export function press(
  draw: Draw,
  operation: string,
  who: string,
  {
    ways = ['button', 'form'],
    ...more
  }: Partial<StepInput> & { ways?: readonly ('button' | 'button beside' | 'form')[] } = {},
) {
  return { do: draw.pick(ways), who, operation, latest: 0, ...because, ...more } as const;
}

/** What happens to people or a quiz without the bot. */
export const turn = (what: Turn): Step => ({ do: 'turn', turn: what });

/** @param people whom it is mostly about */
export const someTurn = (draw: Draw, people: readonly string[], quiz = 'a'): Step =>
  turn(turnAbout(draw, people, quiz));

/** The latest request is looked at. */
export const reviewed = (who: string): Step => ({ do: 'review', who, request: 0 });

export const approved = (who: string): Step => ({ do: 'decide', who, request: 0, verdict: 'approved' });

/** An earlier step is delivered again, so often as if another person had sent it. */
export const repeated = (draw: Draw, step: number, byOthers: number): Step => ({
  do: 'repeat',
  step,
  ...(draw.chance(byOthers) && { who: draw.pick(personHandles) }),
});

/** A campaign for people, as it is asked for. */
export const campaignFor = (assignees: readonly string[], quiz = 'a') => ({
  operation: 'start-campaign',
  quiz,
  assignees,
  values: { people: [], channels: [], except: [], due: ['in 2 weeks'] },
});

/** A file of users, and what is done with those who are there already. */
export const usersFile = (rows: readonly string[]): Record<string, readonly string[]> => ({
  file: [`User name,E-mail,First name,Last name,Type,Rights\n${rows.join('\n')}\n`],
  user_type: ['respondent'],
  existing: ['update'],
});
