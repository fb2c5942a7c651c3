import type { Message, View } from '../../src/sandbox/workspace/model.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { decisionOn } from './decision-on.ts';
import { startTestBed, textOf, type TestBed } from './test-bed.ts';

export const leadsChannelId = channels.leads.id;

/** Opens a test bed with an approvals channel and with Tom as a second administrator beside Ada. */
export async function startApprovalsTestBed(options: Parameters<typeof startTestBed>[0] = {}): Promise<TestBed> {
  return startTestBed({ ...options, env: { APPROVALS_CHANNEL: leadsChannelId, OWNERS: people.tom.id, ...options.env } });
}

/** What people do with approval requests in a test bed. */
export function approvalActions({ workspace }: Pick<TestBed, 'workspace'>) {
  const isRequest = (message: Message) => message.metadata?.event_type === 'approval_request';
  const requests = (channel = leadsChannelId) => workspace.messages(channel).filter(isRequest);
  // A modal can open with a loading text.
  const isLoaded = (view: View) => !textOf(view).includes('Asking the quiz service');

  return {
    requests,
    /** Sends a command that needs approval. @returns the message of the request */
    async ask(personId: string, command: string): Promise<Message> {
      const before = requests().length;
      await workspace.as(personId).command(command);
      return workspace.until(() => requests()[before]);
    },
    /** Clicks Review. @returns the modal */
    async review(personId: string, { channel, ts }: Pick<Message, 'channel' | 'ts'>): Promise<View> {
      const outcome = await workspace.as(personId).click({ channel, ts }, 'review-request');
      await outcome.view();
      return workspace.until(() => workspace.views(personId).findLast(isLoaded));
    },
    /** Submits the modal. @returns the text of the next view, or the errors of the fields */
    async decide(personId: string, view: View, verdict: 'approved' | 'denied', comment = ''): Promise<string> {
      const { errors, view: next } = await workspace.as(personId).submit(view, decisionOn(view, verdict, comment));
      if (errors) return JSON.stringify(errors);
      const id = next?.id ?? '';
      return textOf(await workspace.until(() => workspace.views(personId).find((open) => open.id === id && isLoaded(open))));
    },
    /** Waits until the message contains these words. @returns its text */
    async messageWith({ channel, ts }: Message, words: string): Promise<string> {
      return textOf(await workspace.until(() => workspace.messages(channel).find((message) => message.ts === ts && textOf(message).includes(words))));
    },
    /** Waits for a direct message from the bot with these words. @returns its text */
    async directMessageWith(personId: string, words: string): Promise<string> {
      return textOf(await workspace.until(() => workspace.directMessages(personId).find((message) => textOf(message).includes(words))));
    },
  };
}

export function hasButton(message: Message | undefined, actionId: string): boolean {
  return JSON.stringify(message?.blocks ?? []).includes(`"action_id":"${actionId}"`);
}
