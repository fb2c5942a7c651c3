import { say } from '../../domain/said.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { defineOperation } from '../../operations/operation.ts';
import { decidedPage, denialNeedsReason, reviewPage } from './pages/requests.ts';

/** What a person does with a request for approval: a button names it, and `decisions` says whether they may. */
const ofRequest = {
  access: 'own',
  right: 'known',
  title: say`Approval request`,
  isTyped: false,
  forPeopleOnly: true,
} as const;

const request = { kind: 'text', label: 'Approval request', maxLength: 3_000 } as const;

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
  },
  async run({ decisions }, { request: id, verdict: chosen, isEntered, comment = '' }) {
    const verdict = chosen === 'denied' ? 'denied' : 'approved';
    if (isEntered === undefined) return { kind: 'page', ...reviewPage(await decisions.review(id), verdict) };
    const said = comment.trim();
    if (verdict === 'denied' && said === '') throw new InvalidInputError('comment', denialNeedsReason);
    return { kind: 'page', ...decidedPage(await decisions.decide(id, verdict, said)) };
  },
});

export const withdrawRequest = defineOperation({
  ...ofRequest,
  name: 'withdraw-request',
  command: '/quiz-admin withdraw <request>',
  summary: 'Withdraw',
  submit: 'Withdraw',
  fields: { request },
  async run({ decisions }, { request: id }) {
    return { kind: 'page', ...decidedPage(await decisions.withdraw(id)) };
  },
});
