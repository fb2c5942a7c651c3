import type { MrkdwnElement, PlainTextElement, SectionBlock, ContextBlock } from '@slack/types';
import { closeIsolates, isolated, withoutIsolates } from '../../../domain/direction.ts';
import { fromOutside, inOwnWords } from '../../../domain/own-names.ts';
import {
  asSaid,
  inEnglish,
  isSaid,
  lengthInAnyLanguage,
  lengthInEnglish,
  saidOf,
  writtenNumber,
} from '../../../domain/said.ts';
import { partsOfSentence } from '../../../domain/sentence.ts';
import { clip, onOneLine, shortName } from '../../../domain/short-name.ts';

export { clip, shortName };

/** Text in Slack's markup that is safe to send: everything from outside in it is escaped. */
export interface Mrkdwn {
  readonly mrkdwn: string;
}

/**
 * Slack's markup, written as a template: whatever is put in is escaped and isolated, and taken for words from outside, unless it
 * is Mrkdwn itself. So a quiz called `<!channel>` pages nobody, an Arabic name leaves the score beside it in its place, and a
 * quiz called `/quiz` keeps its name where the bot's commands have others.
 */
export function md(strings: TemplateStringsArray, ...values: (string | number | Mrkdwn)[]): Mrkdwn {
  const parts = values.map((value) =>
    typeof value === 'object'
      ? value.mrkdwn
      : typeof value === 'number'
        ? writtenNumber(String(value))
        : escapeMrkdwn(fromOutside(isolated(value))),
  );
  return { mrkdwn: saidOf(strings, parts) };
}

/** The bot's own words as Mrkdwn. What they quote is taken for words from outside. A command is the same in every language. */
export function ownWords(text: string): Mrkdwn {
  return piece(text.startsWith('/') ? text : asSaid(text));
}

function piece(text: string): Mrkdwn {
  return { mrkdwn: escapeMrkdwn(isolated(inOwnWords(text))) };
}

/** A sentence with its names in bold and its moments on the reader’s clock, of at most `most` characters as they are sent. */
export function sentenceMrkdwn(sentence: string, most = 1_000): Mrkdwn {
  const parts = partsOfSentence(sentence).map(({ text, isName, atMs, isDay }) => {
    if (isName) return md`*${shortName(text)}*`;
    return atMs === undefined
      ? piece(onOneLine(text))
      : slackDate(new Date(atMs), isDay ? formats.day : formats.moment, text.replaceAll(/[<>|]/g, ''));
  });
  return clipMrkdwn(joinMrkdwn(parts, ''), most);
}

/** How Slack shows moments and days, in each reader’s zone: https://docs.slack.dev/messaging/formatting-message-text */
export const formats = { moment: '{date_short_pretty} {time}', day: '{date_short_pretty}' } as const;

/** A date of Slack’s markup; a link could stand before the `|`. */
export function slackDate(date: Date, format: string, fallback: string): Mrkdwn {
  return { mrkdwn: `<!date^${Math.floor(date.getTime() / 1000)}^${format}|${fallback}>` };
}

/** Escapes the three characters Slack's markup is made of: https://docs.slack.dev/messaging/formatting-message-text */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A person of Slack, by id. In a message it notifies them only where they can see it. */
export function mention(personId: string): Mrkdwn {
  return { mrkdwn: `<@${personId.replaceAll(/[^A-Z0-9]/g, '')}>` };
}

/** A channel of Slack, by id. */
export function channelMention(channelId: string): Mrkdwn {
  return { mrkdwn: `<#${channelId.replaceAll(/[^A-Z0-9]/g, '')}>` };
}

export function joinMrkdwn(parts: readonly Mrkdwn[], separator: string): Mrkdwn {
  return { mrkdwn: parts.map((part) => part.mrkdwn).join(separator) };
}

/** A text from outside on one line that is no longer than `most` when it is escaped. Not escaped. */
export function shortText(text: string, most: number): string {
  let short = shortName(text, most);
  while (lengthInEnglish(escapeMrkdwn(short)) > most) short = shortName(short, Math.floor(short.length * 0.8));
  return short;
}

/** `verbatim` keeps Slack from making links and mentions of what only looks like one. */
export function mrkdwnElement(text: Mrkdwn): MrkdwnElement {
  return { type: 'mrkdwn', text: text.mrkdwn, verbatim: true };
}

/** Text without any markup, cut to the limit of the place it stands in. It is taken for words from outside. */
export function plain(text: string, most: number): PlainTextElement {
  return { type: 'plain_text', text: clipShown(fromOutside(text), most), emoji: false };
}

/** Likewise for the bot's own words. What they quote is taken for words from outside. */
export function ownPlain(text: string, most: number): PlainTextElement {
  return { type: 'plain_text', text: clipShown(inOwnWords(asSaid(text)), most), emoji: false };
}

/** What a screen reader says for a button, taken for words from outside. */
export function spoken(text: string, most: number): string {
  return fromOutside(clip(text, most));
}

/** Cuts a text without markup that may hold isolates. */
export function clipShown(text: string, most: number): string {
  for (let length = most; ; length -= 1) {
    const cut = closeIsolates(clip(text, length));
    if (lengthInEnglish(cut) <= most) return cut;
  }
}

/** A name from outside for an option or a button, and what tells it apart after commas, dots and colons: each part has its direction. */
export function shownLabel(label: string): string {
  const parts = shortName(withoutIsolates(label)).split(/(, | · |: )/);
  return parts.length === 1 ? parts.join('') : parts.map(isolated).join('');
}

/** A sentence for places without markup, with its names in quotation marks. */
export function quotedSentence(sentence: string): string {
  return sentenceText(sentence, ['“', '”']);
}

/** The same without marks around names, where each letter counts. */
export function sentenceText(sentence: string, [before, after]: readonly [string, string] = ['', '']): string {
  return partsOfSentence(sentence)
    .map(({ text, isName }) => (isName ? `${before}${fromOutside(isolated(text))}${after}` : inOwnWords(text)))
    .join('');
}

/** Slack's limits for a section's text, in characters as they are sent, and for the `text` of `chat.update`, in bytes. */
const sectionLimit = 3_000;
const notificationLimitBytes = 4_000;

export function section(text: Mrkdwn): SectionBlock {
  return { type: 'section', text: mrkdwnElement(clipMrkdwn(text, sectionLimit)) };
}

/** A message's `text`: its notification, and what a screen reader reads. */
export function notification(text: Mrkdwn): string {
  let { mrkdwn } = clipMrkdwn(text, notificationLimitBytes);
  for (let most = mrkdwn.length; Buffer.byteLength(inEnglish(mrkdwn)) > notificationLimitBytes;) {
    most = Math.floor(most * 0.9);
    ({ mrkdwn } = clipMrkdwn(text, most));
  }
  return mrkdwn;
}

/** Cuts markup at `most` characters as they are sent, never through an escaped character or what is in angle brackets. */
export function clipMrkdwn({ mrkdwn }: Mrkdwn, most: number): Mrkdwn {
  if (lengthInEnglish(mrkdwn) <= most) return { mrkdwn };
  if (isSaid(mrkdwn)) return clipMrkdwn({ mrkdwn: inEnglish(mrkdwn) }, most);
  for (let length = most - 1; ; length -= 1) {
    const cut = mrkdwn.slice(0, length).replace(/(?:&[a-z]{0,3}|<[^>]*|[\uD800-\uDBFF])$/, '');
    const closed = closeIsolates(`${cut}…`);
    if (closed.length <= most) return { mrkdwn: closed };
  }
}

/** Lines in as few sections as they fit in. */
export function sections(lines: readonly Mrkdwn[]): SectionBlock[] {
  return sectionTexts(lines).map(section);
}

/** The texts of these sections. */
export function sectionTexts(lines: readonly Mrkdwn[]): Mrkdwn[] {
  const pages: Mrkdwn[][] = [];
  let length = Infinity;
  for (const line of lines) {
    const more = lengthInAnyLanguage(line.mrkdwn) + 1;
    if (length + more > sectionLimit + 1) {
      pages.push([]);
      length = 0;
    }
    pages.at(-1)?.push(line);
    length += more;
  }
  return pages.map((page) => joinMrkdwn(page, '\n'));
}

export function context(text: Mrkdwn): ContextBlock {
  return { type: 'context', elements: [mrkdwnElement(text)] };
}
