import { Agent } from 'undici';
import type { OwnNames } from '../../domain/own-names.ts';
import { publicCodeOf } from '../../domain/finding.ts';
import type { TrialAnswer } from '../../domain/trial.ts';
import { withTimeout } from '../../time/clock.ts';
import { findChannel } from './find-channel.ts';
import { tryAnswers } from './try-answers.ts';
import { tryBlocks } from './try-blocks.ts';
import { beginEdits, tryPersonId } from './try-messages.ts';
import { trySizes } from './try-sizes.ts';
import { pressActionId, trySocket, type TrialClicks } from './try-socket.ts';
import type { Press } from './trial-socket.ts';
import { createTrialSlack, trialClient, type TrialClock, type TrialSlack } from './trial-slack.ts';

export interface SlackTrialSetup {
  botToken: string;
  appToken: string | undefined;
  apiUrl: string;
  names: OwnNames;
  owners: readonly string[];
}

export interface SlackTrial {
  answers: TrialAnswer[];
  /** How many of its messages could not be deleted. */
  left: number;
}

/** How long a person has to press the button. */
const pressWithinMs = 60_000;
const timeoutMs = 15_000;

/**
 * Asks the real Slack with messages of its own, in a thread of the channel. They are deleted again, also where something
 * fails and where the signal is aborted.
 *
 * @param tell says what goes on
 * @returns the answers so far where the signal is aborted; or one sentence that says what to do first
 */
export async function askSlack(
  setup: SlackTrialSetup,
  typedChannel: string,
  { signal, clock, tell }: { signal: AbortSignal; clock: TrialClock; tell: (line: string) => void },
): Promise<SlackTrial | { problem: string }> {
  const dispatcher = new Agent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connect: { timeout: timeoutMs } });
  const connection = { ...setup, dispatcher };
  try {
    const channel = await findChannel(trialClient(connection, clock), typedChannel);
    if (channel.problem !== undefined) return channel;
    const slack = createTrialSlack(connection, channel.id, signal, clock);
    const answers: TrialAnswer[] = [];
    const clicks = { close: async () => {} };
    try {
      await askAll(slack, setup, { dispatcher, answers, clicks, tell });
    } catch (error) {
      if (!signal.aborted) answers.push(unasked(error));
    }
    await clicks.close();
    tell('Deleting the messages…');
    return { answers, left: await slack.messages.deleteAll() };
  } finally {
    await dispatcher.close();
  }
}

async function askAll(
  slack: TrialSlack,
  setup: SlackTrialSetup,
  parts: {
    dispatcher: Agent;
    answers: TrialAnswer[];
    clicks: { close(): Promise<void> };
    tell: (line: string) => void;
  },
): Promise<void> {
  const { dispatcher, answers, tell } = parts;
  const hasButton = setup.appToken !== undefined;
  tell('Connecting…');
  const clicks = await trySocket(slack.client, setup.appToken, slack.signal);
  parts.clicks.close = clicks.close;
  const button = await slack.messages.open(openingMessage(hasButton));
  const press = pressInTime(clicks, slack.signal);
  if (hasButton && clicks.answer.state === 'expected')
    tell('Press the button that the doctor posted, within a minute.');
  const edits = await beginEdits(slack);
  tell('Asking how long messages may be. This takes about a minute…');
  const sizes = await trySizes(slack);
  tell('Asking about each kind of message…');
  const blocks = await tryBlocks(slack);
  const pressed = await press;
  answers.push(await tryAnswers(slack, dispatcher, button, pressed));
  const personId = typeof pressed === 'string' ? setup.owners[0] : pressed.personId;
  answers.push(await tryPersonId(slack, personId), ...sizes, await edits.finish(), blocks, clicks.answer);
}

function unasked(error: unknown): TrialAnswer {
  return {
    question: 'The other questions',
    state: 'open',
    found: [`Not tried: Slack does not let the doctor post in the channel (${publicCodeOf(error)}).`],
    relies: 'Announcements are posted there: src/slack/announcing/slack-announcement-channel.ts.',
  };
}

function openingMessage(hasButton: boolean): Parameters<TrialSlack['messages']['open']>[0] {
  const text = 'Invigilator’s doctor is trying what Slack does. It deletes this message and its thread within minutes.';
  if (!hasButton) return { text };
  return {
    text,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text } },
      {
        type: 'actions',
        elements: [
          { type: 'button', action_id: pressActionId, text: { type: 'plain_text', text: 'Press to help the doctor' } },
        ],
      },
    ],
  };
}

/** The click; or why there is none, also when its time is over. */
async function pressInTime({ press }: TrialClicks, signal: AbortSignal): Promise<Press | string> {
  const stopped = Promise.withResolvers<string>();
  const stop = () => stopped.resolve('Not tried: the doctor was stopped.');
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await withTimeout(pressWithinMs, Promise.race([press, stopped.promise]));
  } catch {
    return 'Not tried: nobody pressed the button within a minute. Run the doctor again and press it.';
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
