import type { SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import {
  channelHandles,
  groupHandles,
  markOf,
  personHandles,
  quizHandles,
  responseHandles,
  type Cohort,
} from './cohort.ts';
import { operations, writes } from './operations.ts';
import { naming, type Step, type StepInput, type Turn } from './steps.ts';

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

export const targets = ['rosa', 'ravi', 'rex', 'sam', 'tess', 'tom', 'tim', 'ada', 'ben', 'fay', 'uma', 'nora', 'gus'];

/** Texts that name no record, or try to leave the path of the service. */
export const odd = [
  '..',
  '../users',
  '%2e%2e/users',
  '*',
  '',
  '__proto__',
  '00000000-0000-4000-8000-000000000000',
  ' ',
  'user:',
  '<@U1>',
  "' OR 1=1 --",
];

/** An input of an operation, mostly with what exists. */
export function stepInputOf(draw: Draw, cohort: number, operation = draw.pick(writes)): StepInput {
  const { chance } = draw;
  const handle = (handles: readonly string[]) => (chance(0.04) ? draw.pick(odd) : draw.pick(handles));
  const fields = operations[operation]?.fields ?? {};
  const has = (kind: string) => Object.values(fields).some((field) => field === kind);
  const response = handle(responseHandles);
  return {
    operation,
    ...((has('quiz') || has('campaign') || (has('campaigns') && chance(0.7))) && {
      quiz: response === 'fay' && has('response') && chance(0.7) ? 'b' : handle(chance(0.7) ? ['a'] : quizHandles),
    }),
    ...((has('user') || has('users')) && {
      user: handle(chance(0.6) ? ['rosa', 'ravi', 'tess', 'rex', 'sam'] : targets),
    }),
    ...(has('group') && { group: handle(chance(0.7) ? ['a'] : groupHandles) }),
    ...(has('response') && { response }),
    ...(has('channel') && chance(0.5) && { channel: handle(channelHandles) }),
    ...(has('subscription') && chance(0.8) && { subscription: draw.between(0, 2) }),
    ...((has('assignees') || has('audience')) && {
      assignees: Array.from({ length: draw.between(1, 3) }, () =>
        chance(0.7) ? `user ${draw.pick(targets)}` : `group ${draw.pick(groupHandles)}`,
      ),
    }),
    values: valuesOf(draw, cohort, operation),
    ...(chance(0.75) && { reason: 'It has to be' }),
    naming: draw.pick(naming),
  };
}

export function valuesOf(draw: Draw, cohort: number, operation: string): Record<string, readonly string[]> {
  const { chance } = draw;
  const values: Record<string, readonly string[]> = {};
  const name = () => `New ${markOf(cohort)} ${draw.between(1, 1_000_000)}`;
  const address = () => `new.${markOf(cohort)}.${draw.between(1, 1_000_000)}@hostile.example`;
  if (operation === 'create-quiz' || operation === 'rename-quiz' || (operation === 'copy-quiz' && chance(0.7)))
    values['name'] = [name()];
  if (operation === 'rename-quiz' && chance(0.2)) values['was'] = [name()];
  if (['excuse-campaign', 'include-campaign'].includes(operation) && chance(0.2)) values['was'] = ['none'];
  if (operation === 'make-token' || operation === 'revoke-token') values['name'] = [`agent ${draw.between(1, 4)}`];
  if (operation === 'find-user') values['user_name'] = [address()];
  if (operation === 'create-user') {
    values['user_name'] = [address()];
    values['user_type'] = [draw.pick(['respondent', 'respondent', 'trainer', 'administrator', 'owner'])];
    if (chance(0.3)) values['flags'] = draw.pick([['manage_users'], ['edit_quizzes', 'manage_groups'], ['suspended']]);
    if (chance(0.3)) values['suspended'] = ['true'];
    if (chance(0.3)) values['email_address'] = [address()];
  }
  if (operation === 'update-user') {
    if (chance(0.3)) values['user_type'] = [draw.pick(['respondent', 'trainer', 'administrator'])];
    for (const flag of ['edit_quizzes', 'manage_users', 'manage_groups'])
      if (chance(0.25)) values[flag] = [draw.pick(['true', 'false'])];
    if (chance(0.2)) values['first_name'] = [name()];
    if (chance(0.2)) values['email_address'] = [address()];
    if (chance(0.1)) values['empty'] = ['last_name'];
  }
  if (operations[operation]?.fields['filter'] === 'text' && chance(0.3))
    values['filter'] = [draw.pick(['all', 'verify', 'failed', 'open', markOf(cohort)])];
  for (const field of ['plan', 'batch'])
    if (field in (operations[operation]?.fields ?? {})) values[field] = [draw.pick(odd)];
  if (operation === 'set-channel-language') values['language'] = [draw.pick(['de', 'Polski', 'default', 'klingon'])];
  if (operation === 'subscribe-channel') values['delivery'] = [draw.pick(['each', 'thread', 'hourly'])];
  return values;
}

/** An address that a person of the workspace has. */
export function addressOf(draw: Draw, { people, number }: Cohort): Record<string, readonly string[]> {
  const address = people[draw.pick(['ada', 'twin', 'owner', 'rosa', 'zoe'])]?.email ?? '';
  const other = `new.${markOf(number)}.${draw.between(1, 1_000_000)}@hostile.example`;
  const folded = draw.pick([address, address.toUpperCase(), ` ${address} `]);
  return draw.chance(0.5)
    ? { user_name: [folded], user_type: ['respondent'] }
    : { user_name: [other], email_address: [folded], user_type: ['respondent'] };
}

/** A change that comes in between, mostly of what the sequence is about. */
export function turnAbout(draw: Draw, people: readonly string[], quiz: string): Turn {
  const kind = draw.between(1, 10);
  if (kind <= 6)
    return {
      turn: draw.pick([
        'suspend',
        'demote',
        'unflag',
        'delete',
        'untrain',
        'leave',
        'rename',
        'promote',
        'reinstate',
      ] as const),
      user: draw.pick(people),
    };
  if (kind <= 8) return { turn: draw.pick(['rename quiz', 'delete quiz', 'answer quiz'] as const), quiz };
  return {
    turn: draw.pick(['deactivate', 'make guest', 'move away', 'unconfirm'] as const),
    person: draw.pick(people),
  };
}
