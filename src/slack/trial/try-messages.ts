import { publicCodeOf } from '../../domain/finding.ts';
import { answerOf, type TrialAnswer } from '../../domain/trial.ts';
import { slackCodeOf } from '../errors.ts';
import type { OwnMessage } from './own-messages.ts';
import type { TrialSlack } from './trial-slack.ts';

/**
 * Posts to the ID of a person, looks where it went, and deletes it.
 *
 * @param personId undefined where there is nobody to post to
 */
export async function tryPersonId(slack: TrialSlack, personId: string | undefined): Promise<TrialAnswer> {
  const question = {
    question: 'A message to the ID of a person (U…)',
    relies: 'The bot opens the conversation first and posts there: src/slack/people/direct-messages.ts.',
  };
  return answerOf(
    question,
    slack.signal,
    async () => {
      if (personId === undefined)
        return {
          state: 'open',
          found: ['Not tried: there was nobody to write to. Press the button that the doctor posts, or set OWNERS.'],
        };
      const { client, messages } = slack;
      const { channel: opened } = await client.conversations.open({ users: personId });
      const content = {
        text: 'Invigilator’s doctor is trying where this message goes. You don’t have to do anything.',
      };
      let posted: OwnMessage;
      try {
        posted = await messages.postTo(personId, content);
      } catch (error) {
        return { state: 'expected', found: [`Slack refuses it: ${slackCodeOf(error) ?? publicCodeOf(error)}.`] };
      }
      const isOwn = posted.channel === opened?.id;
      const where = isOwn
        ? 'It goes to the direct messages of the bot, which conversations.open gives.'
        : 'It goes to another conversation than conversations.open gives: to Slackbot, or to nowhere that the bot sees.';
      const isDeleted = await messages.delete(posted).then(
        () => true,
        (error: unknown) => slackCodeOf(error) ?? publicCodeOf(error),
      );
      return {
        state: 'expected',
        found: [where, ...(isDeleted === true ? [] : [`The bot can’t delete it there: ${isDeleted}.`])],
      };
    },
    publicCodeOf,
  );
}

/** The edits of a message, whose last one comes at the end of the trial. */
export interface EditTrial {
  finish(): Promise<TrialAnswer>;
}

const edits = {
  question: 'How long a message can be edited',
  relies:
    'Boards, threads’ heads and audit posts are edited for weeks: src/features/alerts/live-messages/live-machine.ts.',
};

/** Edits a message at once. */
export async function beginEdits(slack: TrialSlack): Promise<EditTrial> {
  const { client, messages, signal, now } = slack;
  const begun = now();
  const tried: { afterMs: number; code: string | undefined }[] = [];
  const message = await messages.post({ text: 'A message to edit' }).catch((error: unknown) => publicCodeOf(error));

  async function edit(): Promise<void> {
    if (typeof message === 'string') return;
    signal.throwIfAborted();
    const afterMs = now() - begun;
    const code = await client.chat
      .update({ channel: message.channel, ts: message.ts, text: `Edited ${tried.length + 1} times` })
      .then(
        () => undefined,
        (error: unknown) => slackCodeOf(error) ?? publicCodeOf(error),
      );
    tried.push({ afterMs, code });
  }

  await edit();
  return {
    finish: async () =>
      answerOf(
        edits,
        signal,
        async () => {
          if (typeof message === 'string') return { state: 'open', found: [`Not tried: ${message}.`] };
          await edit();
          return {
            state: tried.every(({ code }) => code === undefined) ? 'expected' : 'other',
            found: [
              ...tried.map(({ afterMs, code }, index) => {
                const when = index === 0 ? 'At once' : `After ${Math.round(afterMs / 1000)} s`;
                return `${when}: ${code === undefined ? 'Slack takes the edit' : `refused, ${code}`}.`;
              }),
              'Whether a window closes after hours or days was not tried.',
            ],
          };
        },
        publicCodeOf,
      ),
  };
}
