import type { WebClient } from '@slack/web-api';
import type { ContentLoss } from '../storage/content-watch.ts';
import type { OpenDirectMessages } from './direct-messages.ts';
import { callSlack } from './errors.ts';
import type { FindAdministrators } from './people.ts';
import type { Message } from './views/message.ts';
import { moment } from './views/moments.ts';
import { md, section } from './views/mrkdwn.ts';

/** Tells each administrator directly that the store lost its content. Rejects where none of them could be reached. */
export function createStoreNotice(deps: {
  client: WebClient;
  administrators: FindAdministrators;
  openDirectMessages: OpenDirectMessages;
  timeZone: string;
}) {
  return async (loss: ContentLoss): Promise<void> => {
    const { text, blocks } = storeNotice(loss, deps.timeZone);
    const sent = await Promise.allSettled(
      (await deps.administrators()).map(async (personId) => {
        const channel = await deps.openDirectMessages(personId);
        await callSlack(async () => deps.client.chat.postMessage({ channel, text, blocks }));
      }),
    );
    if (sent.length > 0 && sent.every(({ status }) => status === 'rejected'))
      throw (sent[0] as PromiseRejectedResult).reason;
  };
}

/** @returns a message that says what is gone and what to do */
export function storeNotice({ kind, knownAt }: ContentLoss, timeZone: string): Message {
  const at = moment(new Date(knownAt), timeZone);
  const line =
    kind === 'older'
      ? md`🚨 *The bot’s database went back to an earlier state.* Changes shortly before ${at} may be gone: subscriptions, decisions on requests, and entries of the audit trail. Check \`/quiz-alerts list all\` and \`/quiz-admin approvals\`.`
      : md`🚨 *The bot’s database lost its content* after ${at}. Subscriptions, open requests and the audit trail are gone. Ask the person who runs the bot to restore a backup, or subscribe each channel again with \`/quiz-alerts subscribe\`.`;
  return { text: line.mrkdwn, blocks: [section(line)] };
}
