import { say } from '../../domain/said.ts';
import { InvalidInputError } from '../../operations/text-input.ts';
import { defineOperation, ofOneself } from '../../operations/operation.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { Page } from '../../operations/page.ts';
import { decidedPage, denialNeedsReason, requestsPage, reviewPage } from './pages/requests.ts';

/** What a person does with a request for approval: a button names it, and `decisions` says whether they may. */
const ofRequest = { ...ofOneself, title: say`Approval request` } as const;

const request = { kind: 'text', label: 'Approval request', maxLength: 3_000 } as const;
/** It was pressed in the list of requests, which is shown anew. */
const inList = { kind: 'text', label: 'Approval requests', optional: true, maxLength: 3 } as const;

async function shownIn(list: string | undefined, { records, actor }: OperationContext, page: Page): Promise<Page> {
  if (list === undefined) return page;
  if (page.ask) return { ...page, ask: { ...page.ask, entered: { ...page.ask.entered, inList: [list] } } };
  return requestsPage(await records.openRequests(), actor.personId, page);
}

/** Shows what would happen now, in a form that decides. */
export const decideRequest = defineOperation({
  ...ofRequest,
  name: 'decide-request',
  command: '/quiz-admin decide <request> as <verdict>',
  summary: 'Review',
  submit: 'Approve',
  fields: {
    request,
    verdict: {
      kind: 'choice',
      label: 'Decision',
      options: [
        { value: 'approved', label: 'Approve' },
        { value: 'denied', label: 'Deny' },
      ],
    },
    /** The form was shown, and this is what was entered in it. */
    isEntered: { kind: 'text', label: 'Decision', optional: true, maxLength: 3 },
    comment: { kind: 'text', label: 'Comment', optional: true, maxLength: 1_000 },
    inList,
  },
  async run(context, { request: id, verdict: chosen, isEntered, comment = '', inList: list }) {
    const decisions = context.decisions();
    const verdict = chosen === 'denied' ? 'denied' : 'approved';
    if (isEntered === undefined) {
      const page = reviewPage(await decisions.review(id), verdict);
      return { kind: 'page', ...(page.ask ? await shownIn(list, context, page) : page) };
    }
    const said = comment.trim();
    if (verdict === 'denied' && said === '') throw new InvalidInputError('comment', denialNeedsReason);
    return { kind: 'page', ...(await shownIn(list, context, decidedPage(await decisions.decide(id, verdict, said)))) };
  },
});

export const withdrawRequest = defineOperation({
  ...ofRequest,
  name: 'withdraw-request',
  command: '/quiz-admin withdraw <request>',
  summary: 'Withdraw',
  submit: 'Withdraw',
  fields: { request, inList },
  async run(context, { request: id, inList: list }) {
    return { kind: 'page', ...(await shownIn(list, context, decidedPage(await context.decisions().withdraw(id)))) };
  },
});
