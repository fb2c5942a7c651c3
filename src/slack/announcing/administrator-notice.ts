import type { WebClient } from '@slack/web-api';
import type { Finding } from '../../domain/finding.ts';
import type { OpenDirectMessages } from '../people/direct-messages.ts';
import { callSlack } from '../errors.ts';
import type { FindAdministrators } from '../people/people.ts';
import { findingNotice } from '../views/administration/finding.ts';

/** Tells each administrator directly about a finding. Rejects where none of them could be reached. */
export function createAdministratorNotice(deps: {
  client: WebClient;
  administrators: FindAdministrators;
  openDirectMessages: OpenDirectMessages;
  timeZone: string;
}) {
  return async (finding: Finding): Promise<void> => {
    const { text, blocks } = findingNotice(finding, deps.timeZone);
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
