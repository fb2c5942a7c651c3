import { hereWords, type Subscribed, described, subscriptionField } from './alert-words.ts';
import { say } from '../../../domain/said.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { named } from '../../../domain/sentence.ts';
import { resultsInWords } from '../../../operations/wording/words.ts';

export const testAlerts = defineOperation({
  name: 'test-alerts',
  command: '/quiz-alerts test [subscription]',
  summary: 'Post a sample alert in the channel',
  title: say`Test a subscription`,
  access: 'write',
  right: 'edit_quizzes',
  rules: [{ name: 'a channel’s subscriptions' }],
  submit: 'Send a test',
  fields: { subscription: subscriptionField },
  action: ({ subscription: { subscription } }) => say`post a sample alert with ${resultsInWords(subscription.quiz)}`,
  effect: (_, { subscription: { subscription } }) =>
    say`The channel would get a sample alert with ${resultsInWords(subscription.quiz)}.`,
  async run(context, { subscription: { subscription } }) {
    const refused = await context.alerts.test(subscription);
    if (refused) throw new InvalidInputError('subscription', refused.closed);
    return { kind: 'done', message: testedMessage(described(context, subscription)) };
  },
});

export function testedMessage({ channel, spec }: Subscribed): string {
  const isHere = channel === hereWords;
  if (spec.quiz === null)
    return isHere
      ? say`Posted a sample alert for every quiz in this channel.`
      : say`Posted a sample alert for every quiz in ${channel}.`;
  const quiz = named(spec.quiz.name);
  return isHere
    ? say`Posted a sample alert for ${quiz} in this channel.`
    : say`Posted a sample alert for ${quiz} in ${channel}.`;
}
