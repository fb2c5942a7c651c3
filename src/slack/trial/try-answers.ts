import type { Agent } from 'undici';
import { fetch } from 'undici';
import { publicCodeOf } from '../../domain/finding.ts';
import { answerOf, type TrialAnswer } from '../../domain/trial.ts';
import type { OwnMessage } from './own-messages.ts';
import type { TrialSlack } from './trial-slack.ts';
import type { Press } from './trial-socket.ts';

const question = {
  question: 'An answer to a click that declares nothing (no response_type)',
  relies: 'Each answer declares response_type, replace_original and thread_ts: src/slack/connection/response-url.ts.',
};

const first = 'An answer that declares nothing';
const second = 'An answer that keeps the message';

/** Answers a click at its response URL, and looks into the channel what became of it. */
export async function tryAnswers(
  slack: TrialSlack,
  dispatcher: Agent,
  button: OwnMessage,
  press: Press | string,
): Promise<TrialAnswer> {
  return answerOf(
    question,
    slack.signal,
    async () => {
      if (typeof press === 'string') return { state: 'open', found: [press] };
      const found: string[] = [];
      for (const body of [{ text: first }, { text: second, replace_original: false }]) {
        const response = await fetch(press.responseUrl, {
          method: 'POST',
          dispatcher,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        await response.body?.cancel();
        const status = response.ok
          ? await whereIs(slack, button, body.text)
          : `Slack refuses it with ${response.status}`;
        const declares = body.replace_original === undefined ? 'nothing' : 'replace_original: false';
        found.push(`With ${declares}: ${status}.`);
      }
      return { state: 'expected', found };
    },
    publicCodeOf,
  );
}

/** Finds a text in the channel. What only one person sees is in no history. */
async function whereIs({ client, messages }: TrialSlack, { channel, ts }: OwnMessage, text: string): Promise<string> {
  const [{ messages: thread = [] }, { messages: recent = [] }] = await Promise.all([
    client.conversations.replies({ channel, ts, limit: 200 }),
    client.conversations.history({ channel, oldest: ts, inclusive: true, limit: 200 }),
  ]);
  const found = [...thread, ...recent].find((message) => message.text === text);
  if (found === undefined) return 'only the person who pressed sees it, and the message with the button stays';
  if (found.ts === ts) return 'it replaces the message with the button';
  if (found.ts !== undefined) messages.keep({ channel, ts: found.ts, text });
  return found.thread_ts === undefined
    ? 'everybody in the channel sees it, below the message with the button'
    : 'everybody sees it, in the thread';
}
