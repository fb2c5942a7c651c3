import type { Announcement } from '../../domain/announcement.ts';
import type { BatchState } from '../../domain/batch.ts';
import { countOf } from './amounts.ts';
import type { Message } from './message.ts';
import { md, section, sentenceMrkdwn } from './mrkdwn.ts';

const icons: Readonly<Record<BatchState, string>> = { running: '⏳', paused: '⏸️', stopped: '⚠️', cancelled: '🚫', finished: '✅' };

/** How far a batch is. */
export function batchProgressMessage({ progress }: Extract<Announcement, { kind: 'batch-progress' }>): Message {
  const { batch: { action, state }, done, total, failed, problem } = progress;
  const sentence = `${action.charAt(0).toUpperCase()}${action.slice(1)}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')} done`;
  const failures = failed > 0 ? `, ${countOf(failed, 'failure', 'failures')}` : '';
  const text = md`${icons[state]} ${sentenceMrkdwn(`${sentence}${failures}.${problem === undefined ? '' : ` ${problem}`}`)}`;
  return { text: text.mrkdwn, blocks: [section(text)] };
}
