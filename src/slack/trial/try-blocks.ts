import { publicCodeOf } from '../../domain/finding.ts';
import { answerOf, type TrialAnswer } from '../../domain/trial.ts';
import { blocksDiagnoses } from '../diagnose-blocks.ts';
import type { TrialSlack } from './trial-slack.ts';

const question = {
  question: 'blocks.validate for each kind of message and form',
  relies:
    'A message that Slack refuses is sent again in plain sections; a form is not: src/slack/views/blocks/message.ts and form.ts.',
};

const states = { right: 'expected', fault: 'other', unknown: 'open' } as const;

/** Asks Slack whether it takes a sample of each kind of message and form, as the doctor does without a trial. */
export async function tryBlocks({ client, signal }: TrialSlack): Promise<TrialAnswer> {
  return answerOf(
    question,
    signal,
    async () => {
      const diagnoses = await blocksDiagnoses(client);
      const worst = (['fault', 'unknown'] as const).find((one) => diagnoses.some(({ state }) => state === one));
      return {
        state: states[worst ?? 'right'],
        found: diagnoses.map(({ text }) => `${text[0]?.toUpperCase()}${text.slice(1)}.`),
      };
    },
    publicCodeOf,
  );
}
