import type { KnownBlock } from '@slack/types';
import { answerOf, type TrialAnswer } from '../../domain/trial.ts';
import { publicCodeOf } from '../../domain/finding.ts';
import { isBadMessage, slackCodeOf } from '../errors.ts';
import { fitsSlack, mostThat } from '../views/blocks/message.ts';
import type { Content } from './own-messages.ts';
import type { TrialSlack } from './trial-slack.ts';

/** A size that is searched for. */
interface Size {
  question: string;
  relies: string;
  /** What is counted: “characters”. */
  unit: string;
  /** The most that the bot sends. */
  relied: number;
  /** Slack is not asked for more. */
  most: number;
  /** How exact the answer is. */
  step: number;
  contentOf: (size: number) => Content;
}

/** The largest size that Slack took, and the smallest that it did not take, with its code. */
export interface Found {
  taken: number;
  refused: { size: number; code: string } | undefined;
}

/**
 * Finds a limit by halving. It asks for the size that is relied on first, and for the next: in a Slack that does as it is
 * documented, that is all.
 *
 * @param refuses the code of the refusal; undefined where the size is taken
 */
export async function findLimit(
  { relied, most, step }: Pick<Size, 'relied' | 'most' | 'step'>,
  refuses: (size: number) => Promise<string | undefined>,
): Promise<Found> {
  const found: Found = { taken: 0, refused: undefined };
  const ask = async (size: number): Promise<void> => {
    const code = await refuses(size);
    if (code === undefined) found.taken = size;
    else found.refused = { size, code };
  };
  await ask(relied);
  if (found.refused === undefined && relied + step <= most) await ask(relied + step);
  if (found.refused === undefined && found.taken < most) await ask(most);
  while (found.refused !== undefined && found.refused.size - found.taken > step)
    await ask(Math.floor((found.refused.size + found.taken) / 2));
  return found;
}

const section = (text: string): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text } });
const words = (length: number): string =>
  'sample '
    .repeat(Math.ceil(length / 7))
    .slice(0, length - 1)
    .padEnd(length, '.');

/** A message of some blocks of text. Slack counts what the blocks hold, and something for each. */
function spread(size: number, inEach: number): Content {
  const blocks = Array.from({ length: Math.ceil(size / inEach) }, (_, index) =>
    section(words(Math.min(inEach, size - index * inEach))),
  );
  return { text: 'A message of many blocks', blocks };
}

const budgeted = (inEach: number): number =>
  mostThat(49 * inEach, (size) => size === 0 || fitsSlack({ text: '', blocks: spread(size, inEach).blocks ?? [] }));

const splitsMessages = 'Longer messages are split by this budget: src/slack/views/blocks/message.ts.';

const sizes: readonly Size[] = [
  {
    question: 'The longest text of a message without blocks',
    relies: 'The bot sends blocks with a short text. Slack says that it cuts texts at 40,000 characters.',
    unit: 'characters',
    relied: 40_000,
    most: 64_000,
    step: 1,
    contentOf: (size) => ({ text: words(size) }),
  },
  {
    question: 'The most blocks of a message',
    relies: 'Lists and boards are cut at this number: src/slack/views/blocks/message.ts.',
    unit: 'blocks',
    relied: 50,
    most: 128,
    step: 1,
    contentOf: (size) => ({ text: 'Many blocks', blocks: Array.from({ length: size }, () => ({ type: 'divider' })) }),
  },
  {
    question: 'The longest text of a section',
    relies: 'Lists are divided into sections of this length: src/slack/views/blocks/mrkdwn.ts.',
    unit: 'characters',
    relied: 3_000,
    most: 12_000,
    step: 1,
    contentOf: (size) => ({ text: 'A long section', blocks: [section(words(size))] }),
  },
  {
    question: 'The longest message in few long blocks',
    relies: splitsMessages,
    unit: 'characters in sections of 2,500',
    relied: budgeted(2_500),
    most: 40_000,
    step: 250,
    contentOf: (size) => spread(size, 2_500),
  },
  {
    question: 'The longest message in many short blocks',
    relies: splitsMessages,
    unit: 'characters in sections of 250',
    relied: budgeted(250),
    most: 12_500,
    step: 250,
    contentOf: (size) => spread(size, 250),
  },
];

/** Posts messages up to the sizes that Slack refuses, and deletes each that it takes. */
export async function trySizes(slack: TrialSlack): Promise<TrialAnswer[]> {
  const answers: TrialAnswer[] = [];
  for (const size of sizes)
    answers.push(
      await answerOf(
        size,
        slack.signal,
        async () => inWords(size, await findLimit(size, async (asked) => refusalOf(slack, size.contentOf(asked)))),
        publicCodeOf,
      ),
    );
  return [...answers, await tryUpdatedText(slack)];
}

async function refusalOf({ messages }: TrialSlack, content: Content): Promise<string | undefined> {
  try {
    const message = await messages.post(content);
    await messages.delete(message);
    const isCut = content.blocks === undefined && message.text.length < content.text.length;
    return isCut ? `taken, and cut to ${message.text.length.toLocaleString('en')} characters` : undefined;
  } catch (error) {
    return refusedFor(error);
  }
}

/** @throws where the message was not refused for its form or size */
function refusedFor(error: unknown): string {
  const code = slackCodeOf(error);
  if (code !== undefined && (isBadMessage(code) || code === 'invalid_arguments')) return code;
  throw error;
}

/** Slack documents 4,000 bytes for the text of an update, and characters elsewhere. */
async function tryUpdatedText(slack: TrialSlack): Promise<TrialAnswer> {
  const size = {
    question: 'The longest text of an update, in letters of two bytes',
    relies: 'Notification texts are cut at 4,000 bytes, for posts and updates: src/slack/views/blocks/mrkdwn.ts.',
    unit: 'letters of two bytes',
    relied: 2_000,
    most: 4_096,
    step: 1,
  };
  return answerOf(
    size,
    slack.signal,
    async () => {
      const { channel, ts } = await slack.messages.post({ text: 'A message to update' });
      const found = await findLimit(size, async (length) => {
        slack.signal.throwIfAborted();
        try {
          await slack.client.chat.update({ channel, ts, text: 'é'.repeat(length) });
          return undefined;
        } catch (error) {
          return refusedFor(error);
        }
      });
      return inWords(size, found);
    },
    publicCodeOf,
  );
}

function inWords(
  { unit, relied, step }: Pick<Size, 'unit' | 'relied' | 'step'>,
  { taken, refused }: Found,
): Pick<TrialAnswer, 'state' | 'found'> {
  const exactness = step === 1 ? '' : ` (to within ${step})`;
  const limit =
    refused === undefined
      ? `Slack takes ${taken.toLocaleString('en')} ${unit}. No more was tried.`
      : `Slack takes ${taken.toLocaleString('en')} ${unit}, and not ${refused.size.toLocaleString('en')}: ${refused.code}${exactness}.`;
  return {
    state: taken >= relied ? 'expected' : 'other',
    found: [limit, ...(taken >= relied ? [] : [`The bot relies on ${relied.toLocaleString('en')}.`])],
  };
}
