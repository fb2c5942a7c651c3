import { moment } from '../../../time/date-words.ts';
import { say, asSaid } from '../../../domain/said.ts';
import type { Finding } from '../../../domain/finding.ts';
import type { Message } from '../blocks/message.ts';
import { section } from '../blocks/mrkdwn.ts';

const icons: Readonly<Record<Finding['effect'], string>> = { stops: '🚨', degrades: '🚨', unknown: '⚪' };

/** A finding as administrators read it, in notices and in the status of the bot. */
export function findingLine(
  { effect, forAdministrators: { headline, advice }, since }: Finding,
  timeZone: string,
): string {
  const title =
    since === undefined || effect === 'unknown'
      ? say`${icons[effect]} *${headline}.*`
      : say`${icons[effect]} *${headline}* after ${moment(since, timeZone)}.`;
  return advice === '' ? title : say`${title} ${asSaid(advice)}`;
}

/** What is gone, and what to do about it. */
export function findingNotice(finding: Finding, timeZone: string): Message {
  const line = findingLine(finding, timeZone);
  return { text: line, blocks: [section(line)] };
}
