import type { WebClient } from '@slack/web-api';
import { publicCodeOf } from '../../domain/finding.ts';
import { answerOf, type TrialAnswer } from '../../domain/trial.ts';
import { openTrialSocket, type Press, type TrialSocket } from './trial-socket.ts';

/** The button that a person presses for the trial. */
export const pressActionId = 'doctor-press';

/** Clicks in Socket Mode. */
export interface TrialClicks {
  answer: TrialAnswer;
  /** The first click; or why there is none. */
  press: Promise<Press | string>;
  close(): Promise<void>;
}

const question = {
  question: 'How fast Socket Mode comes back',
  relies:
    'Commands do not arrive meanwhile; a watch replaces connections that hang: src/slack/connection/socket-watch.ts.',
};

const overHttp =
  'Not tried: over HTTP, Slack sends clicks to the request URL of the bot and not here. Set SLACK_APP_TOKEN to try it.';
const botRuns =
  'Not tried: another program has a connection with SLACK_APP_TOKEN, and Slack sends each event to one of them. Stop the bot, then run the doctor again.';

/**
 * Opens a connection, closes it, and measures how long the next takes. That one stays open for a click.
 *
 * @param appToken undefined over HTTP
 */
export async function trySocket(
  client: WebClient,
  appToken: string | undefined,
  signal: AbortSignal,
): Promise<TrialClicks> {
  const pressed = Promise.withResolvers<Press | string>();
  let socket: TrialSocket | undefined;
  const answer = await answerOf(
    question,
    signal,
    async () => {
      if (appToken === undefined) return { state: 'open', found: [overHttp] };
      const open = async () => openTrialSocket(client, appToken, pressActionId, pressed.resolve);
      const probe = await open();
      await probe.close();
      if (probe.connections !== undefined && probe.connections > 1) return { state: 'open', found: [botRuns] };
      socket = await open();
      const ms = (duration: number) => `${Math.round(duration).toLocaleString('en')} ms`;
      return {
        state: 'expected',
        found: [
          `The first connection was there after ${ms(probe.openedAfterMs)}, the one after its end after ${ms(socket.openedAfterMs)}.`,
          'A connection that Slack itself recycles was not tried: that happens about once an hour.',
        ],
      };
    },
    publicCodeOf,
  );
  if (socket === undefined) pressed.resolve(answer.found.join(' '));
  return { answer, press: pressed.promise, close: async () => socket?.close() };
}
