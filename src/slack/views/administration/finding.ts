import type { Finding } from '../../../domain/finding.ts';
import type { Message } from '../blocks/message.ts';
import { moment } from '../blocks/moments.ts';
import { md, ownWords, section, type Mrkdwn } from '../blocks/mrkdwn.ts';

const icons: Readonly<Record<Finding['effect'], string>> = { stops: '🚨', degrades: '🚨', unknown: '⚪' };

/** A finding as administrators read it, in notices and in the status of the bot. */
export function findingLine(
  { effect, forAdministrators: { headline, advice }, since }: Finding,
  timeZone: string,
): Mrkdwn {
  const title =
    since === undefined || effect === 'unknown'
      ? md`${icons[effect]} *${headline}.*`
      : md`${icons[effect]} *${headline}* after ${moment(new Date(since), timeZone)}.`;
  return advice === '' ? title : md`${title} ${ownWords(advice)}`;
}

/** What is gone, and what to do about it. */
export function findingNotice(finding: Finding, timeZone: string): Message {
  const line = findingLine(finding, timeZone);
  return { text: line.mrkdwn, blocks: [section(line)] };
}
