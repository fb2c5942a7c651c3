import type { Message, View } from '../../src/sandbox/workspace/model.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed, textOf, type TestBed } from './test-bed.ts';

export const leads = channels.leads.id;

/** A house where requests go to the leads' channel, and Tom is a second administrator beside Ada. */
export async function startHouseWithApprovals(options: Parameters<typeof startTestBed>[0] = {}): Promise<TestBed> {
  return startTestBed({ ...options, env: { APPROVALS_CHANNEL: leads, OWNERS: people.tom.id, ...options.env } });
}

/** What people do with requests in a house. */
export function approvalsIn({ workspace }: Pick<TestBed, 'workspace'>) {
  const isRequest = (message: Message) => message.metadata?.event_type === 'approval_request';
  const requests = (channel = leads) => workspace.messages(channel).filter(isRequest);

  return {
    requests,
    /** Asks by command, and waits for the request's message. */
    async ask(personId: string, command: string): Promise<Message> {
      const before = requests().length;
      await workspace.as(personId).command(command);
      return workspace.until(() => requests()[before]);
    },
    /** The modal behind Review. */
    async review(personId: string, { channel, ts }: Pick<Message, 'channel' | 'ts'>): Promise<View> {
      const outcome = await workspace.as(personId).click({ channel, ts }, 'review-request');
      await outcome.view();
      // It may open with a word that the service is being asked.
      return workspace.until(() => workspace.views(personId).findLast((view) => !textOf(view).includes('Asking the quiz service')));
    },
    async decide(personId: string, view: View, verdict: 'approved' | 'denied', comment = ''): Promise<string> {
      const { errors, view: next } = await workspace.as(personId).submit(view, { verdict, ...(comment && { comment }) });
      if (errors) return JSON.stringify(errors);
      const id = next?.id ?? '';
      return textOf(await workspace.until(() => workspace.views(personId).find((one) => one.id === id && !textOf(one).includes('Asking the quiz service'))));
    },
    /** Waits until the request's message says it. */
    async record({ channel, ts }: Message, words: string): Promise<string> {
      const message = await workspace.until(() => workspace.messages(channel).find((one) => one.ts === ts && textOf(one).includes(words)));
      return textOf(message);
    },
    /** Waits until the bot has told the person so in a direct message. */
    async told(personId: string, words: string): Promise<string> {
      return textOf(await workspace.until(() => workspace.directMessages(personId).find((message) => textOf(message).includes(words))));
    },
  };
}

export function hasButton(message: Message | undefined, actionId: string): boolean {
  return JSON.stringify(message?.blocks ?? []).includes(`"action_id":"${actionId}"`);
}
