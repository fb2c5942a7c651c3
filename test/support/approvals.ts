import type { Message, View } from '../../src/sandbox/workspace/model.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed, textOf, type TestBed } from './test-bed.ts';

export const leadsChannelId = channels.leads.id;

/** Opens a test bed with an approvals channel and with Tom as a second administrator beside Ada. */
export async function startApprovalsTestBed(options: Parameters<typeof startTestBed>[0] = {}): Promise<TestBed> {
  return startTestBed({
    ...options,
    env: { APPROVALS_CHANNEL: leadsChannelId, OWNERS: people.tom.id, ...options.env },
  });
}

type Verdict = 'approved' | 'denied';
type Place = Pick<Message, 'channel' | 'ts'>;
/** The action IDs of the buttons on a request. */
export const requestButtons = {
  approved: 'modal:decide-request',
  denied: 'modal:decide-request-1',
  withdrawn: 'ask:withdraw-request',
} as const;

/** What people do with approval requests in a test bed. */
export function approvalActions({ workspace }: Pick<TestBed, 'workspace'>) {
  const isRequest = (message: Message) => message.metadata?.event_type === 'approval_request';
  const requests = (channel = leadsChannelId) => workspace.messages(channel).filter(isRequest);
  // A modal can open with a loading text.
  const isLoaded = (view: View) => !textOf(view).includes('Asking the quiz service');

  /** Clicks Approve or Deny, again where the trigger expired on a busy machine. @returns the modal */
  async function review(
    personId: string,
    { channel, ts }: Place,
    verdict: Verdict = 'approved',
    tries = 5,
  ): Promise<View> {
    const before = new Set(workspace.views(personId).map(({ hash }) => hash));
    const outcome = await workspace.as(personId).click({ channel, ts }, requestButtons[verdict]);
    const isOpen = await workspace.until(() => {
      if (workspace.views(personId).some(({ hash }) => !before.has(hash))) return 'yes';
      return outcome.replies.some(({ text }) => text.startsWith('⚠️')) ? 'no' : undefined;
    });
    if (isOpen === 'no' && tries > 1) return review(personId, { channel, ts }, verdict, tries - 1);
    return workspace.until(() => workspace.views(personId).findLast(isLoaded));
  }

  /** Submits the modal. @returns the text of the next view, or the errors of the fields */
  async function decide(personId: string, view: View, comment = ''): Promise<string> {
    const { errors, view: next } = await workspace.as(personId).submit(view, decisionOn(view, comment));
    if (errors) return JSON.stringify(errors);
    const id = next?.id ?? '';
    return textOf(
      await workspace.until(() => workspace.views(personId).find((open) => open.id === id && isLoaded(open))),
    );
  }

  return {
    requests,
    /** Sends a command that needs approval. @returns the message of the request */
    async ask(personId: string, command: string): Promise<Message> {
      const before = requests().length;
      await workspace.as(personId).command(command);
      return workspace.until(() => requests()[before]);
    },
    review,
    /** Clicks Approve or Deny as a person who may not decide. @returns what they read instead of a form */
    async refusal(personId: string, request: Place, verdict: Verdict = 'approved'): Promise<View> {
      const view = await review(personId, request, verdict);
      if (view.submit) throw new Error('a form opened');
      return view;
    },
    decide,
    /** Approves a request. @returns the text of the last view */
    approve: async (personId: string, request: Place, comment = '') =>
      decide(personId, await review(personId, request), comment),
    /** Denies a request, likewise. */
    deny: async (personId: string, request: Place, reason: string) =>
      decide(personId, await review(personId, request, 'denied'), reason),
    /** Waits until the message contains these words. @returns its text */
    async messageWith({ channel, ts }: Message, words: string): Promise<string> {
      return textOf(
        await workspace.until(() =>
          workspace.messages(channel).find((message) => message.ts === ts && textOf(message).includes(words)),
        ),
      );
    },
    /** Waits for a direct message from the bot with these words. @returns its text */
    async directMessageWith(personId: string, words: string): Promise<string> {
      return textOf(
        await workspace.until(() =>
          workspace.directMessages(personId).find((message) => textOf(message).includes(words)),
        ),
      );
    },
  };
}

export function hasButton(message: Message | undefined, actionId: string): boolean {
  return JSON.stringify(message?.blocks ?? []).includes(`"action_id":"${actionId}"`);
}

/** What the form of a decision remembers. */
export function decisionForm(requestId: string, verdict: string): string {
  return JSON.stringify({ before: { request: [requestId], verdict: [verdict], isEntered: ['yes'] } });
}

/** What a reviewer enters in the form of a decision. The block IDs change with what is reviewed. */
export function decisionOn({ blocks }: View, comment = ''): Record<string, string | string[]> {
  const entered: Record<string, string | string[]> = { comment, seen: ['seen'] };
  return Object.fromEntries(
    blocks.flatMap(({ block_id: id = '' }) =>
      Object.entries(entered).flatMap(([input, value]) =>
        id.startsWith(input) && value.length > 0 ? [[id, value]] : [],
      ),
    ),
  );
}
