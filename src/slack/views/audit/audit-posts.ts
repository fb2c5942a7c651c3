import { shortName } from '../../../domain/short-name.ts';
import { say, asSaid, channelMention } from '../../../domain/said.ts';
import type { AuditAnnouncement } from '../../../domain/announcement.ts';
import { closedReason } from '../../errors.ts';
import { auditedRequest, auditLine, missingEntriesMessage, refusalsLine } from './audit-entries.ts';
import type { Message } from '../blocks/message.ts';
import { section, sections } from '../blocks/mrkdwn.ts';

/** What the audit channel shows, and what administrators read when it can't. */
export function auditPostMessage(announcement: AuditAnnouncement): Message {
  switch (announcement.kind) {
    case 'audit-changes':
      return changesMessage(announcement);
    case 'audit-request':
      return auditedRequest(announcement.entries, announcement.timeZone);
    case 'audit-refusals': {
      const line = refusalsLine(say`${announcement.who}`, announcement.refusals, announcement.timeZone);
      return { text: line, blocks: [section(line)] };
    }
    case 'audit-missing':
      return missingEntriesMessage(announcement.missing);
    case 'audit-channel-closed':
      return auditChannelClosedMessage(announcement);
  }
}

function changesMessage({ items, timeZone }: Extract<AuditAnnouncement, { kind: 'audit-changes' }>): Message {
  const lines = items.map((item) => auditLine(item, timeZone));
  const [first] = lines;
  return {
    text: lines.length === 1 && first ? first : `${lines.length} entries of the audit trail`,
    blocks: sections(lines),
  };
}

function auditChannelClosedMessage({
  channelId,
  code,
}: Extract<AuditAnnouncement, { kind: 'audit-channel-closed' }>): Message {
  const { why, remedyAlone } = closedReason(code);
  const heading = say`⚠️ The audit trail can’t be posted in ${channelMention(channelId)}: ${asSaid(shortName(why, 200))}.`;
  const advice = say`${asSaid(remedyAlone)} Nothing is lost: Invigilator posts the rest within five minutes after it can. Until then, type \`/quiz-admin audit\`.`;
  return { text: heading, blocks: [section(heading), section(advice)] };
}
