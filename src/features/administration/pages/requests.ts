import { addedReason, type ApprovalRequest, type ChangePreview } from '../../../domain/approval-request.ts';
import { maskAddresses } from '../../../domain/address.ts';
import {
  amount,
  asSaid,
  channelMention,
  countOf,
  inEnglish,
  joinSaid,
  listed,
  mention,
  say,
  named,
  namedList,
  partsOfSentence,
  clip,
  shortName,
} from '../../../domain/said.ts';
import { modalStep, questionStep, replaceStep, runStep } from '../../../operations/page.ts';
import type { Page, Part, Step } from '../../../operations/page.ts';
import { showPlan } from '../../../operations/define-plan.ts';
import type { Decided, Review } from '../../../operations/services/records.ts';
import { confirmationOf, type TextInput } from '../../../operations/text-input.ts';
import { factInWords, factLabel } from '../../../operations/wording/words.ts';
import { moment } from '../../../time/date-words.ts';

/** Characters as they are sent. */
const longestComment = 500;

/** Turns `suspend-user` into “suspend user”. */
export function operationWords(name: string): string {
  return name.replaceAll('-', ' ');
}

/** What is requested, as an imperative sentence (`domain/said.ts`): “suspend ⁨Rosa Almeida⁩”. */
export function requestedAction({ operation, asked }: Pick<ApprovalRequest, 'operation' | 'asked'>): string {
  return (
    asked.action ??
    actionFrom(
      operation,
      asked.targets.map(({ name }) => name),
      asked.details,
    )
  );
}

/** Makes the action of a request or an audit entry that was stored without its words. */
export function actionFrom(
  operation: string,
  targets: readonly string[],
  details: readonly { value: string }[] = [],
): string {
  const words = operationWords(operation);
  const [first, ...others] = targets.length > 0 ? targets : details.slice(0, 1).map(({ value }) => value);
  if (first === undefined) return words;
  return others.length === 0 && targets.length > 0
    ? `${words.split(' ')[0]} ${named(first)}`
    : `${words} ${namedList([first, ...others], 5)}`;
}

/**
 * Where a request is, in one line for all its readers. `more`: what came of it. Only that is in the past tense of the change: a
 * request never reads as done.
 */
function wordsOfRequest(request: ApprovalRequest): { icon: string; line: string; more?: string } {
  const { decision, outcome, failures, lastFailure } = request;
  const action = requestedAction(request);
  const approved = (by: { by?: string } | undefined) => say`${decider(by)} approved: ${action}.`;
  const comment = decision?.comment ? [say`“${shortName(decision.comment, longestComment)}”`] : [];
  if (isOpen(request) || decision === undefined)
    return failures === 0
      ? { icon: '🙋', line: say`Approval requested: ${action}` }
      : {
          icon: '⚠️',
          line: joinSaid([approved(lastFailure), say`It failed.`], ' '),
          more: say`${lastFailure?.message ?? ''} It can still be approved or denied.`,
        };
  switch (decision.verdict) {
    case 'approved': {
      const more = outcome?.message ?? '';
      if (outcome?.kind === 'done') return { icon: '✅', line: joinSaid([approved(decision), ...comment], ' '), more };
      const came =
        outcome?.kind === 'not run' ? say`It wasn’t carried out.` : say`It’s unclear whether it was carried out.`;
      return { icon: '⚠️', line: joinSaid([approved(decision), came], ' '), more };
    }
    case 'denied':
      return { icon: '⛔', line: joinSaid([say`${decider(decision)} denied: ${action}.`, ...comment], ' ') };
    case 'withdrawn':
      return { icon: '↩️', line: say`${decider(decision)} withdrew: ${action}.` };
    case 'expired':
      return { icon: '⌛', line: say`Expired: ${action}. Nobody decided ${timeGiven(request)}.` };
  }
}

function decider(by: { by?: string } | undefined): string {
  return by?.by === undefined ? say`Someone` : mention(by.by);
}

function timeGiven({ createdAt, expiresAt }: ApprovalRequest): string {
  const hours = Math.round((expiresAt - createdAt) / 3_600_000);
  return hours < 1 ? say`in time` : say`within ${amount(hours)} ${hours === 1 ? 'hour' : 'hours'}`;
}

export const needsReason = say`This needs approval. Why do you want it?`;

/** As many as a request stores of a plan. */
const changesAtMost = 61;
/** A line holds what somebody entered. */
const longestLine = 300;
const detailsAtMost = 10;

/** Those of operations that use these pages. */
const deciding = { name: 'decide-request' };
const withdrawing = { name: 'withdraw-request' };

type Verdict = 'approved' | 'denied';

/** A button that opens the form of a decision. @param how in a list, the decision shows it anew */
function decisionStep(
  request: ApprovalRequest,
  verdict: Verdict,
  style: Pick<Step, 'style'> = {},
  how: { step: typeof modalStep; input?: TextInput } = { step: modalStep },
): Step {
  const [label, spoken] =
    verdict === 'approved'
      ? [say`Approve`, say`Approve: ${requestedAction(request)}`]
      : [say`Deny`, say`Deny: ${requestedAction(request)}`];
  const input = { request: [request.id], verdict: [verdict], ...how.input };
  return { ...how.step(label, deciding, input), spoken, ...style };
}

/** The button that opens a request in one line. */
export function requestReviewStep(request: ApprovalRequest): Step {
  const label = say`Review`;
  return { ...decisionStep(request, 'approved'), label, spoken: say`Review: ${requestedAction(request)}` };
}

function decisionSteps(request: ApprovalRequest, how?: Parameters<typeof decisionStep>[3]): Step[] {
  return [
    decisionStep(request, 'approved', { style: 'primary' }, how),
    decisionStep(request, 'denied', { style: 'danger' }, how),
    ...planSteps(request),
  ];
}

const inList = { inList: ['yes'] } as const;

/** What a person can do with a request in a list: their own they withdraw. */
function stepsInList(request: ApprovalRequest, readerId: string): Step[] {
  return request.requesterId === readerId
    ? [replaceStep(say`Withdraw`, withdrawing, { request: [request.id], ...inList })]
    : decisionSteps(request, { step: questionStep, input: inList });
}

/** On the page of who asked for it. */
export function withdrawStep(request: ApprovalRequest): Step {
  return runStep(say`Withdraw`, withdrawing, { request: [request.id] });
}

/** Opens the list of everyone that a request is about, where it is about a plan. */
function planSteps({ input: { plan } }: Pick<ApprovalRequest, 'input'>): Step[] {
  return plan === undefined ? [] : [modalStep(say`View all`, showPlan, { plan })];
}

/** What reviewers read of a request: what it asks for, who asks and why, with its buttons while it is open, and its outcome once it has one. */
export function requestPage(request: ApprovalRequest): Page {
  const heading = asksLine(request);
  if (isOpen(request))
    return {
      heading,
      parts: [...askedParts(request), ...failureParts(request)],
      notes: [say`Expires ${moment(request.expiresAt)}`],
      steps: decisionSteps(request),
    };
  const end = endLine(request);
  return {
    heading,
    notification: end,
    parts: [...askedParts(request), { lines: [end] }],
    notes: [whenEnded(request)],
  };
}

function isOpen({ state }: ApprovalRequest): boolean {
  return state === 'open' || state === 'decided';
}

/** Who asks for what. */
function asksLine(request: Pick<ApprovalRequest, 'requesterId' | 'operation' | 'asked'>): string {
  return say`🙋 ${asks(request)}`;
}

function asks(request: Parameters<typeof asksLine>[0]): string {
  return say`${mention(request.requesterId)} asks to ${requestedAction(request)}`;
}

/** Where it is. */
function endLine(request: ApprovalRequest): string {
  return stageLine(wordsOfRequest(request));
}

function stageLine({ icon, line, more }: ReturnType<typeof wordsOfRequest>): string {
  return more === undefined || more === '' ? say`${icon} ${line}` : say`${icon} ${line}\n${more}`;
}

/** What would happen, to what, and why. */
function askedParts(request: ApprovalRequest): Part[] {
  return [{ lines: [effectLine(request.asked)] }, { facts: detailsOf(request) }, { lines: [reasonLine(request)] }];
}

function effectLine({ effect }: Pick<ChangePreview, 'effect'>): string {
  return effect.trim() || say`There’s no description of what would happen.`;
}

/** The form's values, each with its label, without the names that the requested action has already. */
function detailsOf(request: Pick<ApprovalRequest, 'operation' | 'asked'>): [label: string, fact: string][] {
  const action = requestedAction(request);
  const names = new Set([
    inEnglish(action),
    ...partsOfSentence(action).flatMap(({ text, isName }) => (isName ? [inEnglish(text)] : [])),
  ]);
  return request.asked.details
    .filter(({ value }) => !names.has(inEnglish(value)))
    .slice(0, detailsAtMost)
    .map(({ label, value }) => [
      asSaid(shortName(label, 100)),
      channelIn(value) ?? (shortName(value, longestLine) || say`none`),
    ]);
}

/** A channel that was named by its ID alone (`operations/fields/channel.ts`), as its readers see it. */
function channelIn(value: string): string | undefined {
  const [, id] = /^channel ([CDG][A-Z0-9]{6,})$/.exec(value) ?? [];
  return id && channelMention(id);
}

function reasonLine({ reason }: Pick<ApprovalRequest, 'reason'>): string {
  const [first = '', ...added] = reason.split(addedReason);
  return say`*Why:* ${shortName([first, ...added.map((each) => say`Added: ${each}`)].join(' · '), 2_200)}`;
}

/** The last failed run; empty if no run failed. */
function failureParts(request: ApprovalRequest): Part[] {
  return isOpen(request) && request.failures > 0 ? [{ lines: [endLine(request)] }] : [];
}

const ended = {
  approved: (at: string) => say`decided ${at}`,
  denied: (at: string) => say`decided ${at}`,
  withdrawn: (at: string) => say`withdrawn ${at}`,
  expired: (at: string) => say`expired ${at}`,
} as const;

function whenEnded({ createdAt, decision }: ApprovalRequest): string {
  const requested = say`Requested ${moment(createdAt)}`;
  return decision ? say`${requested} · ${ended[decision.verdict](moment(decision.at))}` : requested;
}

/** Reminds reviewers of a request that is halfway to its expiry. */
export function reminderPage(request: ApprovalRequest): Page {
  return {
    heading: say`⏰ Still waiting for a decision: ${mention(request.requesterId)} asks to ${requestedAction(request)}. It expires ${moment(request.expiresAt)}.`,
  };
}

/** One entry of a list of requests: who asks for what, why, and until when, with its buttons. */
export function requestPart(request: ApprovalRequest, steps: readonly Step[]): Part {
  const until = moment(request.expiresAt);
  return {
    lines: [say`🙋 ${asks(request)} · expires ${until}\n${reasonLine(request)}`],
    steps,
  };
}

const requestsShown = 10;

/** The open requests. @param decided what came of a button in the list, which stands above it */
export function requestsPage(requests: readonly ApprovalRequest[], readerId: string, decided?: Page): Page {
  const count =
    requests.length === 0
      ? say`✅ ${say`Nothing is waiting for your approval, and you have no open requests.`}`
      : say`*${countOf(requests.length, 'open request', 'open requests')}*`;
  const left = requests.length - requestsShown;
  return {
    heading: decided?.heading ?? count,
    parts: [
      ...(decided === undefined ? [] : [...(decided.parts ?? []), { isApart: true, lines: [count] } as const]),
      ...requests.slice(0, requestsShown).map((request) => requestPart(request, stepsInList(request, readerId))),
    ],
    notes: [left > 0 && say`…and ${left} more.`],
  };
}

/** Confirms a new request to the requester. */
export function askedPage(request: ApprovalRequest): Page {
  const { icon, line } = wordsOfRequest(request);
  return {
    heading: say`${icon} ${line}. ${effectLine(request.asked)}`,
    notification: say`${icon} ${line}`,
    parts: [
      {
        lines: [
          request.reasonsAdded !== undefined &&
            say`You requested this before, so your reason was added to that request.\n${reasonLine(request)}`,
        ],
      },
    ],
    notes: [say`I’ll message you the decision by ${moment(request.expiresAt)}.`],
    steps: [replaceStep(say`Withdraw`, withdrawing, { request: [request.id] })],
  };
}

/** Who can decide on an open request: people, or the members of a channel who are entitled to. */
export type Deciders = { kind: 'channel'; channelId: string } | { kind: 'people'; personIds: readonly string[] };

/** What its requester reads of a request, as it is now. */
export function requesterPage(asked: ApprovalRequest, deciders: Deciders): Page {
  const request = asked.isOfStep ? maskAddresses(asked) : asked;
  const { verdict } = request.decision ?? {};
  const words = { ...wordsOfRequest(request), ...(verdict === 'expired' && { more: say`You can request it again.` }) };
  const page = { heading: stageLine(words), notification: say`${words.icon} ${words.line}` };
  if (!isOpen(request)) return { ...page, parts: [{ lines: [verdict !== 'approved' && reasonLine(request)] }] };
  const { trouble } = request.posts;
  return {
    ...page,
    parts: [...askedParts(request), { lines: [trouble !== undefined && say`⚠️ ${trouble}`] }],
    notes: [waitingLine(request, deciders)],
    // The message shows the request as it is, so the answer is beside it.
    steps: [withdrawStep(request)],
  };
}

function waitingLine({ expiresAt, isReminded }: ApprovalRequest, deciders: Deciders): string {
  const until = moment(expiresAt);
  const reminded = isReminded ? [say`They’ve been reminded.`] : [];
  if (deciders.kind === 'channel')
    return joinSaid(
      [say`An administrator can decide in ${channelMention(deciders.channelId)} until ${until}.`, ...reminded],
      ' ',
    );
  const people = deciders.personIds.slice(0, 5).map((personId) => mention(personId));
  if (people.length === 0) return say`Your request is kept until ${until}.`;
  const anyOfThem = listed(people, 'disjunction');
  return joinSaid([say`${anyOfThem} can decide until ${until}.`, ...reminded], ' ');
}

/** Notifies the requester, who has the request's message already: nobody is notified of an update. */
export function decisionPage(request: ApprovalRequest): Page {
  const { icon, line } = wordsOfRequest(request);
  return { heading: say`${icon} ${mention(request.requesterId)}: ${line}` };
}

/** What a press of Approve or Deny leads to: what would happen now, in the form of the decision, or why there is none. */
export function reviewPage(review: Review, verdict: Verdict, isShownAgain = false): Page {
  switch (review.kind) {
    case 'refused':
      return { heading: say`🚫 ${review.message}` };
    case 'over':
      return overPage(review.request);
    case 'own':
      return {
        heading:
          verdict === 'approved'
            ? say`🚫 ${say`You can’t approve your own request. Someone else has to decide, or you can withdraw it.`}`
            : say`🚫 ${say`You can’t deny your own request. Someone else has to decide, or you can withdraw it.`}`,
        steps: [replaceStep(say`Withdraw`, withdrawing, { request: [review.request.id] })],
      };
    case 'gone':
      return denialPage(review.request, verdict === 'approved' ? review.message : undefined);
    case 'review':
      return verdict === 'approved' ? approvalPage(review, isShownAgain) : denialPage(review.request, undefined);
  }
}

const decidedAlready = say`This request was decided already.`;

/** Nobody decides on it any more. What came of it is not known while it is being carried out. */
function overPage(request: ApprovalRequest): Page {
  return { heading: isOpen(request) ? decidedAlready : endLine(request) };
}

/** What came of a decision or a withdrawal. */
export function decidedPage(decided: Decided): Page {
  switch (decided.kind) {
    case 'refused':
      return { heading: say`🚫 ${decided.message}` };
    case 'over': {
      const page = overPage(decided.request);
      // Nobody has decided on one that expired.
      if (page.heading === decidedAlready || decided.request.decision?.verdict === 'expired') return page;
      return { heading: decidedAlready, parts: [{ lines: [page.heading] }] };
    }
    case 'changed':
      return reviewPage(decided.review, 'approved', true);
    case 'decided':
      return {
        heading:
          decided.request.state === 'decided'
            ? say`Your decision is stored and being carried out. The request’s message will show the result.`
            : endLine(decided.request),
      };
  }
}

/**
 * What would happen now. The names of its inputs differ with what is shown: the form keeps no comment on something that looked
 * different.
 *
 * @param isShownAgain the request changed while the reviewer looked at it. A quick second press must not approve what they
 * have not read, so the button needs the checkbox.
 */
function approvalPage({ request, preview, changes }: Extract<Review, { kind: 'review' }>, isShownAgain: boolean): Page {
  const asked = { ...request, asked: preview };
  const asking = asksLine(asked);
  const parts: Part[] = [
    { lines: [isShownAgain && asking, effectLine(preview), reasonLine(request)] },
    { facts: detailsOf(asked) },
    ...targetParts(preview),
    {
      // Which of many changes need the approval. The modal behind “View all” has the rest.
      lines: (preview.privileged ?? []).map((line) => say`🛡️ ${clip(line, longestLine)}`),
    },
    ...(changes.length > 0
      ? [
          { lines: [say`✏️ *Changed since it was requested*`] },
          { lines: changes.slice(0, changesAtMost).map((change) => say`• ${clip(change, longestLine)}`) },
        ]
      : []),
    ...failureParts(request),
    {
      steps: [...planSteps(request), decisionStep(request, 'denied')],
      notes: [say`Requested ${moment(request.createdAt)} · expires ${moment(request.expiresAt)}`],
    },
  ];
  const shown = confirmationOf(JSON.stringify([asking, parts]));
  return {
    heading: isShownAgain
      ? say`⚠️ ${say`This changed while you were looking at it, so nothing was approved. Here’s how it is now:`}`
      : asking,
    parts,
    ask: {
      submit: say`Approve`,
      entered: enteredFor(request, 'approved'),
      fields: {
        ...(isShownAgain && {
          [`seen ${shown}`]: {
            kind: 'flags',
            label: 'Before you approve',
            options: [{ value: 'seen', label: 'I’ve read how it is now' }],
          },
        }),
        [`comment ${shown}`]: {
          kind: 'text',
          label: 'Comment',
          hint: 'The requester will see it.',
          optional: true,
          maxLength: longestDecision,
        },
      },
    },
  };
}

const longestDecision = 1_000;

function enteredFor({ id }: ApprovalRequest, verdict: Verdict): TextInput {
  return { request: [id], verdict: [verdict], isEntered: ['yes'] };
}

/** The current state of the target, if there is exactly one. */
function targetParts({ targets }: ChangePreview): Part[] {
  const [target, ...others] = targets;
  if (target === undefined || others.length > 0) return [];
  const facts = Object.entries(target.facts).map(
    ([label, fact]) => say`${factLabel(label)}: ${shortName(factInWords(label, fact), 150) || say`none`}`,
  );
  return facts.length === 0 ? [] : [{ lines: [say`*${shortName(target.name, 150)} now*`] }, { lines: facts }];
}

/** Asks for the reason of a denial. `blocked`: why the request can only be denied. */
function denialPage(request: ApprovalRequest, blocked: string | undefined): Page {
  const asking = asksLine(request);
  const parts: Part[] = [
    {
      lines: [blocked !== undefined && asking, reasonLine(request)],
      notes: [say`Requested ${moment(request.createdAt)}`],
    },
  ];
  return {
    heading:
      blocked === undefined ? asking : say`⚠️ ${joinSaid([blocked, say`This request can only be denied.`], ' ')}`,
    parts,
    ask: {
      submit: say`Deny`,
      entered: enteredFor(request, 'denied'),
      fields: {
        [`comment ${confirmationOf(JSON.stringify([asking, parts]))}`]: {
          kind: 'text',
          label: 'Reason',
          hint: denialNeedsReason,
          maxLength: longestDecision,
        },
      },
    },
  };
}

export const denialNeedsReason = say`Required to deny. The requester will see it.`;
