import type { KnownBlock, ContextBlock, MrkdwnElement, PlainTextElement, SectionBlock } from '@slack/types';
import {
  isolated,
  withoutIsolates,
  lengthInAnyLanguage,
  say,
  isSaid,
  joinSaid,
  shortName,
} from '../../../domain/said.ts';

/** `verbatim` keeps Slack from making links and mentions of what only looks like one. */
export function mrkdwnElement(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

/** Text without any markup. */
export function plain(text: string): PlainTextElement {
  return { type: 'plain_text', text, emoji: false };
}

/** Slack's limit for a section's text, in characters as they are sent. */
const sectionLimit = 3_000;

export function section(text: string): SectionBlock {
  return { type: 'section', text: mrkdwnElement(text) };
}

/** Lines in as few sections as they fit in. */
export function sections(lines: readonly string[]): SectionBlock[] {
  return sectionTexts(lines).map(section);
}

/** The texts of these sections. */
function sectionTexts(lines: readonly string[]): string[] {
  const pages: string[][] = [];
  let length = Infinity;
  for (const line of lines) {
    const more = lengthInAnyLanguage(line) + 1;
    if (length + more > sectionLimit + 1) {
      pages.push([]);
      length = 0;
    }
    pages.at(-1)?.push(line);
    length += more;
  }
  return pages.map((page) => joinSaid(page, '\n'));
}

export function context(text: string): ContextBlock {
  return { type: 'context', elements: [mrkdwnElement(text)] };
}

/** A name from outside for an option or a button, on one line. */
export function shownLabel(label: string): string {
  return isSaid(label) ? label : shortName(withoutIsolates(label));
}

/** A message. `text` is the notification and the text for screen readers. */
export interface Message {
  text: string;
  blocks: KnownBlock[];
  /**
   * The same facts in blocks that every surface supports. Set if `blocks` contains charts or tables: modals
   * don't support them, and neither do older workspaces.
   */
  plain?: KnownBlock[];
  /** Slack must not keep it: only the person sees it, until they load Slack anew. */
  isSecret?: true;
}

const blocksAtMost = 50;
/**
 * Slack documents no limit for a whole message. It was measured to take 13,297 characters in one block and 125 fewer with a
 * block more, and to refuse 11,341 characters in many blocks:
 * https://github.com/slackapi/bolt-js/issues/2509 and https://github.com/slackapi/bolt-js/issues/2867.
 */
const sizeAtMost = 13_000;
const sizeOfBlock = 125;

/** Whether Slack probably takes a message, by its length. */
export function fitsSlack(message: Message): boolean {
  return hasRoomFor(message.blocks) && (message.plain === undefined || hasRoomFor(message.plain));
}

function hasRoomFor(blocks: readonly KnownBlock[]): boolean {
  return blocks.length <= blocksAtMost && blocks.reduce((sum, block) => sum + sizeOf(block), 0) <= sizeAtMost;
}

/** The largest number up to `most` that fits, where every smaller one fits too; 0 if none does. */
export function mostThat(most: number, fits: (count: number) => boolean): number {
  if (fits(most)) return most;
  let [from, to] = [0, most - 1];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (fits(middle)) from = middle;
    else to = middle - 1;
  }
  return from;
}

/** The search for the longest list that fits asks for the same blocks again and again. */
const knownSizes = new WeakMap<KnownBlock, number>();

function sizeOf(block: KnownBlock): number {
  const size = knownSizes.get(block) ?? charactersIn(block) + sizeOfBlock;
  knownSizes.set(block, size);
  return size;
}

/** Counts the characters in all texts, as they are sent. What a picker offers stands in none of them. */
function charactersIn(value: object): number {
  return Object.entries(value).reduce((sum, [key, part]: [string, unknown]) => {
    if (key === 'options' && 'type' in value && value.type === 'static_select') return sum;
    if (key === 'text' && typeof part === 'string')
      return sum + lengthInAnyLanguage(part) + (isolated(part) === part ? 0 : 2);
    return typeof part === 'object' && part !== null ? sum + charactersIn(part) : sum;
  }, 0);
}

/** A message of one sentence (`domain/said.ts`). */
export function textMessage(icon: string, sentence: string): Message {
  const text = say`${icon} ${sentence}`;
  return { text, blocks: [section(text)] };
}

/** After this many lines, a list says how to narrow it. */
export const linesAtMost = 100;
