import type { ContextBlock, MrkdwnElement, PlainTextElement, SectionBlock } from '@slack/types';
import { withoutIsolates } from '../../../domain/direction.ts';
import { isSaid, joinSaid, lengthInAnyLanguage } from '../../../domain/said.ts';
import { shortName } from '../../../domain/short-name.ts';

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
