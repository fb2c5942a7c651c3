import type { SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { writes } from './operations.ts';
import { addressOf, turnAbout, stepInputOf } from './step-inputs.ts';
import type { Step } from './steps.ts';
import { channelHandles, personHandles, quizHandles, type Cohort } from './cohort.ts';

/** Administrators against each other and themselves, and new users with addresses of other people. */
export function attack(random: SeededRandom, cohort: Cohort): Step[] {
  const administrators = ['ada', 'ben', 'amy', 'owner', 'twin', 'tim'];
  const user = () => random.pick(['ada', 'ben', 'amy', 'tim', 'tom']);
  return Array.from({ length: random.between(2, 6) }, (): Step => {
    const who = random.pick(administrators);
    switch (random.between(1, 7)) {
      case 1:
      case 2:
        return { do: 'form', who, operation: 'suspend-user', user: user() };
      case 3:
        return {
          do: 'form',
          who,
          operation: 'update-user',
          user: user(),
          values: { user_type: [random.pick(['respondent', 'trainer'])] },
        };
      case 4:
        return {
          do: 'form',
          who,
          operation: 'update-user',
          user: user(),
          values: { [random.pick(['manage_users', 'edit_quizzes'])]: ['false'] },
        };
      case 5:
        return {
          do: 'form',
          who: random.pick([...administrators, 'uma', 'tom']),
          operation: 'create-user',
          values: addressOf(random, cohort),
          reason: 'It has to be',
        };
      case 6:
        return { do: 'form', who, operation: 'update-user', user: user(), values: addressOf(random, cohort) };
      default:
        return { do: 'turn', turn: { turn: 'suspend', user: user() } };
    }
  });
}

/** A person subscribes a channel, and others, some of them elsewhere, change the subscription. */
export function alertsFlow(random: SeededRandom): Step[] {
  const chance = (share: number) => random.number() < share;
  const subscriber = random.pick(['erin', 'tom', 'eli', 'ada', 'owner', 'nora', 'uma']);
  const quiz = chance(0.8) ? { quiz: random.pick(quizHandles) } : {};
  const doing = () => random.pick(['command', 'button', 'form'] as const);
  const change = (): Step => ({
    do: doing(),
    who: random.pick([subscriber, 'erin', 'eli', 'tim', 'ada', ...personHandles]),
    in: random.pick(channelHandles),
    operation: random.pick(['unsubscribe-channel', 'pause-alerts', 'resume-alerts']),
    ...(chance(0.85) && { subscription: random.between(0, 1) }),
    ...(chance(0.15) && { isDoubled: true }),
  });
  return [
    {
      do: doing(),
      who: subscriber,
      in: random.pick(channelHandles),
      operation: 'subscribe-channel',
      ...quiz,
      ...(chance(0.6) && { channel: random.pick(channelHandles) }),
    },
    ...Array.from({ length: random.between(1, 4) }, (): Step =>
      chance(0.25) ? { do: 'turn', turn: turnAbout(random, [subscriber], quiz.quiz ?? 'a') } : change(),
    ),
  ];
}

/** A change that the bot is killed in, and that the person makes again. */
export function cutShort(random: SeededRandom, cohort: number): Step[] {
  const who = random.pick(['ada', 'ben', 'tom', 'erin', 'uma', 'gus', 'owner']);
  const step = {
    do: random.pick(['command', 'form', 'button'] as const),
    who,
    ...stepInputOf(random, cohort, random.pick(writes)),
  };
  const interruption =
    random.number() < 0.5 ? { interruption: { after: random.between(1, 6), act: 'kill' as const } } : {};
  return [
    { ...step, ...interruption },
    { do: 'repeat', step: 0 },
  ];
}
