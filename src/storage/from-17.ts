import { dayMs } from '../domain/durations.ts';
import type {
  Campaign,
  CampaignEvent,
  CampaignMember,
  CampaignResult,
  CampaignSummary,
  Excuse,
  Obligation,
  Rule,
  RuleChange,
  StandingRule,
  Validity,
} from '../domain/campaign.ts';
import type { CampaignChangePlan, CampaignPlan, PlannedMember } from '../domain/campaign-plan.ts';
import { campaignQueue, readQueue, stepQueue, type NewQueueEntry } from '../domain/queues.ts';
import { notKnown } from '../domain/campaign-messages.ts';
import type { ResultWait, StepEnding } from '../domain/workflow.ts';
import { wallClock } from '../time/wall-clock.ts';
import { countOf, joinSaid, mention, say, named, namedPerson, shortName } from '../domain/said.ts';

/**
 * What version 1.7 stored becomes what this version reads. Both stores give each text that they keep to the functions at the end
 * of this file, at the start and before anything else reads it; the audit trail and its keys stay as they are.
 *
 * **To change what is stored**, write a pure function from the form of 1.7 to today's and add it to one of the tables below, at
 * the kind of mailbox or the namespace that it is about. It returns what it got where nothing changes, and `dropped` where
 * nobody needs it any more. With `about.put`, it sends mail to a mailbox of today in one step with the change, such as from what
 * is dropped. Beside it stands the form of 1.7, as far as it is read: no feature is imported, since a feature of tomorrow does not
 * say what 1.7 stored.
 *
 * - A field that 1.6 did not write can be missing in states of 1.7 that nothing has changed since.
 * - In Redis, an upgrade that was killed begins again: **a function gets what it returned, and returns it as it is**.
 * - `test/storage/upgrade-17.test.ts` starts the bot on a store of 1.7 with all that it can have: add what you rewrite, and
 *   say what goes on.
 */
type Rewrite = (stored: never, about: About) => unknown;

interface About {
  /** The mailbox, the key of a value, or an ID. */
  name: string;
  /** Of a mailbox. */
  teamId: string;
  /** Milliseconds since the epoch. */
  now: number;
  put(mail: NewQueueEntry): void;
  /** What a function says to those after it. All mail comes first, then the states in the order of their mailboxes, then the rest. */
  notes: Map<string, unknown>;
}

const dropped = Symbol('dropped');
const drop = () => dropped;

type Table = Readonly<Record<string, readonly Rewrite[]>>;

/** Waits for results of workflow steps, of users who share a mailbox. A step was over for 1.7 once it waited. */
type Wait17 = Omit<ResultWait, 'grantId' | 'names'> &
  Partial<Pick<ResultWait, 'grantId' | 'names'>> & { executionId: string; ending?: StepEnding };

function waitInSteps({ waits }: { waits: readonly Wait17[] }, about: About): typeof dropped {
  for (const wait of waits) putWait(wait, about);
  return dropped;
}

/** The result of a submission is dropped: a step asks the service when it begins to wait. */
function waitInStep({ event }: { event: { kind: string; wait?: Wait17 } }, about: About) {
  if (event.wait) putWait(event.wait, about);
  return dropped;
}

function putWait(stored: Wait17, { teamId, now, put }: About): void {
  const { executionId, ending } = stored;
  const wait: ResultWait = {
    // 1.6 stored neither.
    grantId: '',
    names: { user: 'The person', quiz: 'The quiz' },
    ...picked(stored, 'personId', 'grantId', 'quizId', 'userId', 'names', 'countsFrom', 'needsPass', 'until', 'result'),
  };
  const execution = { id: executionId, teamId, appId: '', step: 'wait_for_result', inputs: {}, startedAt: now };
  put({
    queue: stepQueue(teamId, executionId),
    subscriptionId: 'workflows',
    at: now,
    content: { kind: 'workflow-event', event: { kind: 'wait', execution, wait, ...(ending && { ending }) } },
  });
}

/** These fields, as far as it has them. */
function picked<Value extends object, Name extends keyof Value>(
  value: Value,
  ...names: readonly Name[]
): Pick<Value, Name> {
  return Object.fromEntries(names.flatMap((name) => (name in value ? [[name, value[name]]] : []))) as Pick<Value, Name>;
}

/** A digest of several messages: of one that is in flight, the first was all from now on. */
interface Channel17 {
  digests?: unknown;
  inFlight?: { positions: readonly number[]; digest?: { position: number } };
}

function withoutDigests(state: Channel17): unknown {
  const { digests, inFlight, ...others } = state;
  if (digests === undefined && inFlight?.digest === undefined) return state;
  const { digest, ...message } = inFlight ?? { positions: [] };
  return { ...others, ...(inFlight && { inFlight: digest ? { ...message, positions: [digest.position] } : message }) };
}

/** What was kept of posts had other names in each kind of mailbox. Some of it was about messages that had been refused. */
interface Posting17 {
  inFlight?: { key?: string };
  problem?: { code: string; isOwnerNotified?: boolean; areAdministratorsNotified?: boolean };
  changedAt?: unknown;
  bad?: unknown;
  tooLong?: unknown;
  entriesAtMost?: unknown;
  badTries?: unknown;
}

const forgottenOfPosts = ['changedAt', 'bad', 'tooLong', 'entriesAtMost', 'badTries'];

function postingOfToday(state: Posting17): unknown {
  const { inFlight, problem } = state;
  const { isOwnerNotified, areAdministratorsNotified, ...told } = problem ?? {};
  const isTold = isOwnerNotified ?? areAdministratorsNotified;
  const { key, ...message } = inFlight ?? {};
  const isOfToday = key === undefined && isTold === undefined && forgottenOfPosts.every((name) => !(name in state));
  if (isOfToday) return state;
  return {
    ...Object.fromEntries(Object.entries(state).filter(([name]) => !forgottenOfPosts.includes(name))),
    ...(key !== undefined && { inFlight: { ...message, id: key } }),
    ...(isTold !== undefined && { problem: { ...told, isTold } }),
  };
}

/** A correction that waited for a digest would count as another submission. */
function withoutCorrections(content: { submission?: { corrects?: unknown } }): unknown {
  return content.submission?.corrects === undefined ? content : dropped;
}

/** A campaign had its rule among its other fields, and left out what it had not. */
interface Terms17 {
  completeWhen: Rule['completeWhen'];
  validity?: Validity;
  standing?: StandingRule;
  schedule: Pick<Rule, 'remindBeforeMs'> & {
    [Time in 'dueAt' | 'overdueEveryMs' | 'escalateAfterMs' | 'endsAt']?: number;
  };
  board: Rule['board'];
  escalatesToManagers?: true;
}

interface Lead17 {
  lead: { userId: string; timeZone: string };
  otherLeads?: readonly string[];
}

interface Campaign17
  extends
    Terms17,
    Lead17,
    Pick<Campaign, 'id' | 'teamId' | 'quiz' | 'ownerId' | 'startedAt' | 'endedAt' | 'remindNowAt' | 'escalatedUpTo'>,
    Partial<
      Pick<Campaign, 'quizKnownAt' | 'audience' | 'leftOut' | 'except' | 'candidates' | 'unreadable' | 'unable'>
    > {
  obstacle?: Omit<NonNullable<Campaign['obstacle']>, 'by'> & { by?: string };
  approvedBy?: string;
  dueChangedAt?: number;
  /** Undefined: 1.6 started it, and it knows what was sent alone. */
  knowsDelivery?: true;
  batchId: string | null;
  isAssigningStopped?: true;
  words?: string;
  takesMinutes?: number;
  members: readonly Member17[];
  /** Of 1.6, with “repeat yearly”. */
  repeats?: 'yearly' | null;
  countsFrom?: number;
}

/** What became of messages stood beside when they were handed over. */
interface Member17
  extends
    Pick<CampaignMember, 'userId' | 'name' | 'groups' | 'personId' | 'timeZone' | 'snoozedUntil' | 'saidNotMeAt'>,
    Partial<Pick<CampaignMember, 'attempts' | 'stays' | 'notReportOf' | 'managerId'>> {
  addedAt: number;
  notifiedAt: number | null;
  remindedAt: readonly number[];
  deliveries?: readonly { handedAt: number; at: number; failure?: string }[];
  toldDueAt?: number | null;
  remindNowAt?: number;
  askAgainAt?: number;
  result?: CampaignResult | null;
  responseIds?: readonly string[];
  excused: Excuse17 | null;
  assignment?: 'waiting' | 'failed';
}

type Excuse17 = Omit<Excuse, 'until'> & Partial<Pick<Excuse, 'until'>>;

const isOfToday = (campaign: Campaign17 | Campaign): campaign is Campaign => 'rule' in campaign;

function ruleOfToday({ completeWhen, board, schedule, escalatesToManagers, ...terms }: Terms17): Rule {
  return {
    completeWhen,
    validity: null,
    standing: null,
    dueAt: null,
    endsAt: null,
    overdueEveryMs: null,
    escalateAfterMs: null,
    ...picked(terms, 'validity', 'standing'),
    ...schedule,
    toManagers: escalatesToManagers ?? false,
    board,
  };
}

function leadsOfToday({ lead, otherLeads = [] }: Lead17): Pick<Campaign, 'leads' | 'timeZone'> {
  return { leads: [lead.userId, ...otherLeads].filter((userId) => userId !== ''), timeZone: lead.timeZone };
}

/** Of a campaign that stands, and was a round, who was left out does not come in by itself either. */
function exceptOfToday({ standing, except, leftOut = [] }: Campaign17): Campaign['except'] {
  return except ?? (standing ? leftOut.map((userId) => `user:${userId}`) : []);
}

function campaignOfToday(campaign: Campaign17 | Campaign): Campaign {
  if (isOfToday(campaign)) return campaign;
  const { obstacle, batchId, isAssigningStopped = false, knowsDelivery } = campaign;
  const rule = ruleOfToday(campaign);
  return {
    ...leftOut17,
    ...picked(campaign, 'id', 'teamId', 'quiz', 'quizKnownAt', 'ownerId', 'approvedBy', 'startedAt', 'dueChangedAt'),
    ...picked(campaign, 'unable', 'endedAt', 'remindNowAt', 'escalatedUpTo', 'audience', 'leftOut', 'candidates'),
    ...picked(campaign, 'unreadable', 'words', 'takesMinutes'),
    ...leadsOfToday(campaign),
    // Who did is not known where it was handed over.
    startedBy: campaign.ownerId,
    rule,
    obstacle: obstacle ? { ...obstacle, by: obstacle.by ?? null } : null,
    members: campaign.members.map((member) => memberOfToday(member, { knowsDelivery, dueAt: rule.dueAt })),
    assigning: batchId === null ? null : { batchId, isStopped: isAssigningStopped },
    except: exceptOfToday(campaign),
  };
}

/** What a campaign left out that had none of it. */
const leftOut17 = {
  quizKnownAt: 0,
  approvedBy: null,
  dueChangedAt: null,
  unable: [],
  audience: [],
  leftOut: [],
  candidates: null,
  unreadable: [],
  words: null,
  takesMinutes: null,
} as const satisfies Partial<Campaign>;

/** @param campaign.dueAt what a message named of which 1.6 did not note it */
function memberOfToday(
  member: Member17 | CampaignMember,
  campaign: { knowsDelivery?: true | undefined; dueAt: number | null } = { knowsDelivery: true, dueAt: null },
): CampaignMember {
  if ('messages' in member) return member;
  const { addedAt, excused, notifiedAt, remindedAt, deliveries = [] } = member;
  const { toldDueAt: dueAt = campaign.dueAt } = member;
  const arrived = deliveries.filter(({ failure }) => failure === undefined).map(({ handedAt }) => handedAt);
  const handed = new Set([...(notifiedAt === null ? [] : [notifiedAt]), ...remindedAt, ...arrived]);
  const waits = { at: null, failure: campaign.knowsDelivery ? null : notKnown };
  return {
    stays: [{ from: addedAt }],
    remindNowAt: null,
    askAgainAt: null,
    managerId: null,
    notReportOf: [],
    assignment: 'has',
    ...picked(member, 'userId', 'name', 'groups', 'personId', 'timeZone', 'stays', 'snoozedUntil', 'remindNowAt'),
    ...picked(member, 'saidNotMeAt', 'askAgainAt', 'managerId', 'notReportOf', 'assignment'),
    messages: [...handed]
      .toSorted((one, other) => one - other)
      .map((handedAt) => {
        const { at, failure = null } = deliveries.find((one) => one.handedAt === handedAt) ?? waits;
        return { handedAt, at, failure, dueAt };
      }),
    attempts: attemptsOfToday(member),
    excused: excused && { ...excused, until: excused.until ?? null },
    away: null,
  };
}

/** 1.6 kept the result alone, until the responses were read. */
function attemptsOfToday({ attempts, result = null, responseIds = [] }: Member17): CampaignMember['attempts'] {
  if (attempts !== undefined) return attempts;
  return result === null ? [] : [{ ...result, responseId: responseIds.at(-1) ?? '', knownAt: 0 }];
}

function stateOfToday<State extends { campaign: Campaign17 | Campaign }>(state: State) {
  return isOfToday(state.campaign) ? state : { ...state, campaign: campaignOfToday(state.campaign) };
}

type Change17 = Partial<Pick<Rule, 'completeWhen' | 'validity' | 'remindBeforeMs' | 'overdueEveryMs'>> &
  Partial<Pick<Rule, 'escalateAfterMs' | 'board'> & Pick<StandingRule, 'withinDays' | 'renewDays'>>;

function changeOfToday(stored: Change17): RuleChange {
  const { withinDays: _, renewDays: _days, ...change } = stored;
  const standing = picked(stored, 'withinDays', 'renewDays');
  return Object.keys(standing).length === 0 ? stored : { ...change, standing };
}

type Event17 =
  | { kind: 'start'; campaign: Campaign17 | Campaign }
  | {
      kind: 'add' | 'join';
      members: readonly (Member17 | CampaignMember)[];
      at?: number;
      batchId?: string;
      areNamed?: boolean;
    }
  | { kind: 'delivery'; userId: string; handedAt: number; at: number; failure?: string | null }
  | ({ kind: 'excuse'; userIds: readonly string[] } & Excuse17)
  | { kind: 'extend'; dueAt?: number; endsAt?: number; at?: number }
  | { kind: 'rule'; change: Change17; at: number }
  | ({ kind: 'hand-over'; ownerId: string } & Partial<Lead17>)
  | { kind: 'ask-excuse' };

function eventOfToday(event: Event17, now: number): CampaignEvent | typeof dropped {
  switch (event.kind) {
    case 'ask-excuse':
      return dropped;
    case 'start':
      return isOfToday(event.campaign)
        ? (event as CampaignEvent)
        : { kind: 'start', campaign: campaignOfToday(event.campaign) };
    case 'add':
    case 'join': {
      const members = event.members.map((member) => memberOfToday(member));
      const isSame = event.areNamed !== undefined && members.every((member, place) => member === event.members[place]);
      if (isSame) return event as CampaignEvent;
      const { at = members[0]?.stays[0]?.from ?? now, batchId } = event;
      return { kind: 'join', members, at, areNamed: event.kind === 'add', ...(batchId !== undefined && { batchId }) };
    }
    case 'delivery':
      return event.failure === undefined ? { ...event, failure: null } : (event as CampaignEvent);
    case 'excuse':
      return event.until === undefined ? { ...event, until: null } : (event as CampaignEvent);
    case 'extend': {
      const { dueAt = null, endsAt = null, at = now } = event;
      return { kind: 'rule', change: { dueAt, endsAt }, at };
    }
    case 'rule': {
      const change = changeOfToday(event.change);
      return change === event.change ? event : { ...event, change };
    }
    case 'hand-over': {
      const { kind, ownerId, lead, otherLeads } = event;
      return lead === undefined
        ? (event as CampaignEvent)
        : { kind, ownerId, ...leadsOfToday({ lead, ...(otherLeads && { otherLeads }) }) };
    }
    default:
      return event;
  }
}

/** What 1.6 left out of a preview. */
type Later = 'managers' | 'valid' | 'laterNames' | 'lateNames' | 'overlaps';

/** A preview of a campaign, or of a change of its rule, that can still be started. */
interface CampaignPlan17
  extends
    Terms17,
    Lead17,
    Omit<CampaignPlan, 'draft' | 'into' | 'isOnlyOne' | 'members' | 'leftOut' | Later>,
    Partial<Pick<CampaignPlan, Later>> {
  quiz: Campaign['quiz'];
  leftOut: CampaignPlan['leftOut'];
  audience?: Campaign['audience'];
  leftOutIds?: Campaign['leftOut'];
  except?: Campaign['except'];
  words?: string;
  takesMinutes?: number;
  campaignId?: string;
  isOnlyOne?: true;
  members: readonly PlannedMember17[];
}

interface PlannedMember17 extends Omit<PlannedMember, 'obligation'>, Pick<Obligation, 'validUntil' | 'dueAt'> {
  isAsked?: boolean;
  isMarking?: true;
}

interface ChangePlan17 extends Omit<CampaignChangePlan, 'timeZone' | 'change' | 'before' | 'after'>, Lead17 {
  change: Change17;
  before: Terms17;
  after: Terms17;
}

function planOfToday(content: CampaignPlan17): CampaignPlan {
  const { quiz, members, audience = [], leftOutIds: leftOut = [], except = [] } = content;
  const { words = null, takesMinutes = null } = content;
  const rule = ruleOfToday(content);
  return {
    managers: null,
    valid: [],
    laterNames: [],
    lateNames: [],
    overlaps: [],
    ...picked(content, 'managers', 'assign', 'leftOut', 'valid', 'approval', 'laterNames', 'lateNames'),
    ...picked(content, 'overlaps', 'firstMessagesAt', 'firstMessagesUntil', 'firstMessagesNow', 'firstMessagesLocal'),
    ...picked(content, 'clocksDiffer'),
    kind: 'campaign',
    draft: { quiz, rule, ...leadsOfToday(content), audience, leftOut, except, words, takesMinutes },
    into: content.campaignId ?? null,
    isOnlyOne: content.isOnlyOne ?? false,
    members: members.map((member) => plannedOfToday(member, rule)),
    collectives: null,
    leadNames: [],
  };
}

/** In a round, whoever took part had to take it. */
function plannedOfToday(
  { validUntil, dueAt, isAsked, isMarking, ...person }: PlannedMember17,
  { standing, dueAt: roundDueAt }: Rule,
): PlannedMember {
  const due = standing ? dueAt : (roundDueAt ?? undefined);
  return {
    ...person,
    obligation: {
      state: isMarking ? 'marking' : standing && !isAsked ? 'done' : 'due',
      ...(validUntil !== undefined && { validUntil }),
      ...(due !== undefined && { dueAt: due }),
    },
  };
}

function changePlanOfToday({ lead, otherLeads: _, change, before, after, ...plan }: ChangePlan17): CampaignChangePlan {
  return {
    ...plan,
    timeZone: lead.timeZone,
    change: changeOfToday(change),
    before: ruleOfToday(before),
    after: ruleOfToday(after),
  };
}

function campaignMail(content: { event: Event17 }, { now }: About) {
  const event = eventOfToday(content.event, now);
  if (event === dropped) return dropped;
  return event === content.event ? content : { ...content, event };
}

/** By kind of mailbox. A large state comes whole. */
const states: Table = {
  audit: [postingOfToday],
  batch: [batchOf17],
  campaign: [withoutRounds, stateOfToday],
  campaigns: [listedWithoutRounds],
  channel: [withoutDigests, postingOfToday],
  departures: [listsOfDeparted],
  // Evidence packs that people got every month.
  evidence: [drop],
  live: [postingOfToday],
  person: [postingOfToday],
  request: [withPeopleNamed, withoutForPeople],
  waits: [waitInSteps],
};

/** The content of what waits in mailboxes, by their kind. */
const mail: Table = {
  campaign: [eventOfRounds, campaignMail],
  digest: [withoutCorrections],
  evidence: [drop],
  person: [stillSent, noteOf17],
  waits: [waitInStep],
};

/** Kinds of messages to people that nobody sends any more: the evidence of a month, the next round of a campaign, and excuses asked for. */
const notSent = new Set(['no-evidence', 'campaign-round', 'campaign-excuse-asked', 'campaign-excuse-decided']);

function stillSent(content: { kind: string; mayStop?: true }): unknown {
  const { mayStop, ...notice } = content;
  return notSent.has(content.kind) ? dropped : mayStop === undefined ? content : notice;
}

interface News17 {
  kind: string;
  campaignId: string;
  quizName: string;
  name: string;
  by?: string;
  who: readonly string[];
  isStopped: boolean;
  members: readonly { name: string }[];
  names: readonly string[];
  count: number;
  parts: readonly string[];
  grantId: string;
  step: string;
}

/** What 1.7 said in kinds of messages of their own. It waited only while the platform was away: of its buttons, one stays. */
function noteOf17(content: News17): unknown {
  const heading = headings17[content.kind]?.({ ...content, quizName: shortName(content.quizName ?? '') });
  if (heading === undefined) return content;
  const { kind, campaignId, grantId } = content;
  return {
    kind: 'note',
    ...(campaignId !== undefined && { campaignId }),
    ...(kind === 'campaign-candidates' && { untilTakenIn: true }),
    note: {
      heading,
      steps: [
        campaignId === undefined
          ? { label: say`Revoke`, operation: 'take-rights-back', input: { grant: [grantId] }, opens: 'replace' }
          : { label: say`View all`, operation: 'show-campaign', input: { campaign: [campaignId] }, opens: 'modal' },
      ],
    },
  };
}

const namesOf17 = (names: readonly string[]) =>
  joinSaid(
    names.slice(0, 10).map((name) => shortName(name)),
    ', ',
  );

const bold = (text: string) => say`*${text}*`;

const headings17: Readonly<Record<string, (news: News17) => string>> = {
  'campaign-not-me': ({ name, quizName }) =>
    say`🙋 *${shortName(name)}* says that *${quizName}* isn’t for them. They get no more reminders.`,
  'campaign-not-report': ({ by = '', name, quizName }) =>
    say`↩️ ${mention(by)} says that ${say`*${shortName(name)}*`} doesn’t report to them. They still have to take *${quizName}*, and from now on you get the name.`,
  'campaign-paused': ({ by, quizName }) =>
    by === undefined
      ? say`⏸️ ${bold(quizName)} isn’t open any more, so its campaign is paused. Nobody gets messages until it’s open again.`
      : say`⏸️ ${mention(by)} closed ${bold(quizName)}, so its campaign is paused. Nobody gets messages until it’s open again.`,
  'campaign-orphaned': ({ who, quizName }) =>
    who.includes('owner')
      ? say`👤 The person who started the campaign for ${bold(quizName)} can’t see its results any more.`
      : say`👤 The lead of the campaign for ${bold(quizName)} can’t see its results any more, so the names of missing people come to you.`,
  'campaign-unassigned': ({ isStopped, quizName, members }) =>
    isStopped
      ? say`⏸️ Assigning ${bold(quizName)} for its campaign has stopped. People who don’t have it yet get no messages. The result says why.`
      : say`⚠️ ${bold(quizName)} couldn’t be assigned to ${namesOf17(members.map(({ name }) => name))}, so its campaign sends ${members.length === 1 ? 'them' : 'these people'} nothing. The result says why.`,
  'campaign-candidates': ({ count, names, quizName }) =>
    count === 1
      ? say`👋 ${namesOf17(names)} joined the audience of the campaign for ${bold(quizName)}, and isn’t in it yet.`
      : say`👋 ${countOf(count, 'person', 'people')} joined the audience of the campaign for ${bold(quizName)}, and aren’t in it yet.`,
  'campaign-unreadable': ({ parts, quizName }) =>
    say`👀 I can’t see any more who is in ${namesOf17(parts.map((part) => part.split('|')[1] ?? part))}, from which the campaign for *${quizName}* takes its people.`,
  'rights-lent': ({ step }) =>
    say`🔑 Slack says that you’re setting up the step *${shortName(step)}* of a workflow. Once you choose yourself in it and publish it, it runs with your rights for everyone who can start the workflow.`,
};

/** By namespace of keyed values. */
const values: Table = {
  // 1.7 read once what 1.6 kept of the audit channel.
  'audit-pending': [drop],
  'audit-posted': [drop],
  'audit-posts': [drop],
  'batch-rows': [rowsOf17],
  plans: [planOf17, campaignPlan],
  // What people said that the columns of files hold.
  'import-columns': [drop],
  // Of bots for some groups of an account.
  'made-here': [drop],
  'quiz-groups': [drop],
};

/** Rows of 1.4 to 1.6 are no operations: a batch of them stops, and says that its list is gone; a preview is gone as after its time. */
const isOperation = ({ kind }: { kind: string }) => kind === 'change' || kind === 'none';

function rowsOf17(batch: { rows: readonly { kind: string }[] }): unknown {
  return batch.rows.every(isOperation) ? batch : dropped;
}

function planOf17(plan: { content?: { rows?: readonly { kind: string }[]; entered?: unknown } }): unknown {
  const { rows = [], entered } = plan.content ?? {};
  return rows.every(isOperation) && entered === undefined ? plan : dropped;
}

function campaignPlan(plan: { content?: { kind: string } }): unknown {
  const { content } = plan;
  if (content === undefined || 'draft' in content) return plan;
  if (content.kind === 'campaign') return { ...plan, content: planOfToday(content as CampaignPlan17) };
  return content.kind === 'campaign-change' && 'lead' in content
    ? { ...plan, content: changePlanOfToday(content as ChangePlan17) }
    : plan;
}

/** 1.6 did not store when a batch was started or resumed. */
function batchOf17(state: { since?: number }, { now }: About): unknown {
  return state.since === undefined ? { ...state, since: now } : state;
}

/** Lists replace proposals. Everybody is read again at once, so that the messages of open ones show the buttons of today. */
function listsOfDeparted(stored: Departures17) {
  const { people, proposedAt, notices, notBefore } = stored;
  if (notices === undefined) return stored;
  return {
    people: people.map(({ left, ...person }) => ({
      ...person,
      ...(left && { left: { ...picked(left, 'at', 'isEarlier'), ...(left.isHandled && { isListed: true }) } }),
    })),
    readAt: 0,
    listedAt: proposedAt,
    lists: notices.flatMap(({ kind, id, postedAt, readers, people: noticed = [] }) =>
      kind === 'proposal'
        ? {
            id,
            postedAt,
            readers,
            people: noticed.flatMap(({ userId, name, at, end }) => (end ? [] : { userId, name, leftAt: at })),
            mass: null,
          }
        : [],
    ),
    notBefore,
  };
}

interface Departures17 {
  people: { userId: string; personId: string; left?: { at: number; isEarlier?: true; isHandled?: true } }[];
  proposedAt: number;
  /** Undefined: it is of today. */
  notices?: {
    kind: 'proposal' | 'return' | 'mass';
    id: string;
    postedAt: number;
    readers: unknown;
    people?: { userId: string; name: string; at: number; end?: unknown }[];
  }[];
  notBefore: number;
}

interface Request17 {
  asked: { action?: string; targets: readonly { kind: string; id: string; name: string }[] };
}

/** What is asked for names people with their IDs, so that it can be taken out of it who is erased. */
function withPeopleNamed(request: Request17): unknown {
  const { action, targets } = request.asked;
  const things = new Set(targets.flatMap(({ kind, name }) => (kind === 'user' ? [] : [name])));
  const people = targets.filter(({ kind, name }) => kind === 'user' && !things.has(name));
  const marked = people.reduce(
    (text, { id, name }) => text?.replaceAll(named(name), namedPerson({ userId: id, name })),
    action,
  );
  return marked === action ? request : { ...request, asked: { ...request.asked, action: marked } };
}

interface AskedOfPeople17 {
  operation: string;
  input: Readonly<Record<string, readonly string[]>>;
}

/** Who was reminded or excused in all their campaigns, by operations of their own, which named users by ID and campaigns by quiz. */
function withoutForPeople<Request extends AskedOfPeople17>(request: Request): Request {
  const { operation, input } = request;
  if (operation !== 'remind-people' && operation !== 'excuse-people') return request;
  const { quizzes = [], people = [], ...others } = input;
  const isReminder = operation === 'remind-people';
  return {
    ...request,
    operation: isReminder ? 'remind-campaign' : 'excuse-campaign',
    input: {
      ...others,
      ...(quizzes.length > 0 && { campaign: quizzes }),
      people: isReminder ? people.map((id) => `user:${id}`) : people,
    },
  };
}

/** How the parts of a large state belong into it. */
const joinParts: Readonly<Record<string, (head: never, parts: readonly unknown[]) => unknown>> = {
  campaign: ({ campaign, ...progress }: { campaign: object }, members) => ({
    ...progress,
    campaign: { ...campaign, members },
  }),
};

/** The namespaces of which the upgrade reads values. */
export const upgradedNamespaces: readonly string[] = Object.keys(values);

/** What a stored text becomes, with the mail that it sends. */
export interface Upgraded {
  change: 'kept' | 'dropped' | { text: string };
  mail: readonly NewQueueEntry[];
}

/** The same for all that one upgrade rewrites. */
export type Upgrade = Pick<About, 'now' | 'notes'>;

/** @param parts of a large state, in their order; one that changes is stored whole */
export function upgradedState(queue: string, text: string, parts: readonly string[], upgrade: Upgrade): Upgraded {
  const { kind, teamId } = readQueue(queue);
  return upgraded(states[kind] ?? [], { name: queue, teamId, ...upgrade }, () => {
    const head: unknown = JSON.parse(text);
    return parts.length === 0
      ? head
      : joinParts[kind]?.(
          head as never,
          parts.map((part) => JSON.parse(part) as unknown),
        );
  });
}

/** @param text the content of an entry */
export function upgradedMail(queue: string, text: string, upgrade: Upgrade): Upgraded {
  const { kind, teamId } = readQueue(queue);
  return upgraded(mail[kind] ?? [], { name: queue, teamId, ...upgrade }, () => JSON.parse(text));
}

/** @param text as Keyv writes it, with when it expires */
export function upgradedValue(namespace: string, key: string, text: string, upgrade: Upgrade): Upgraded {
  const about = { name: key, teamId: '', ...upgrade };
  let kept: { value?: unknown } = {};
  const read = () => (kept = JSON.parse(text) as typeof kept).value;
  return upgraded(values[namespace] ?? [], about, read, (value) => ({ ...kept, value }));
}

function upgraded(
  rewrites: readonly Rewrite[],
  about: Omit<About, 'put'>,
  read: () => unknown,
  asKept: (value: unknown) => unknown = (value) => value,
): Upgraded {
  if (rewrites.length === 0) return { change: 'kept', mail: [] };
  try {
    const sent: NewQueueEntry[] = [];
    const before = read();
    let value = before;
    for (const rewrite of rewrites) {
      value = rewrite(value as never, { ...about, put: (one) => void sent.push(one) });
      if (value === dropped) return { change: 'dropped', mail: sent };
    }
    return { change: value === before ? 'kept' : { text: JSON.stringify(asKept(value)) }, mail: sent };
  } catch (cause) {
    // What cannot be read is set aside when somebody wants it.
    if (cause instanceof SyntaxError) return { change: 'kept', mail: [] };
    throw new Error(`what version 1.7 stored of ${about.name} cannot be upgraded`, { cause });
  }
}

/** What 1.7 knew of campaigns that 1.6 had started with `repeat yearly`. */
interface CampaignState17 {
  campaign: Campaign17 | Campaign;
  endedByItself: boolean;
  isRepeated?: boolean;
}

/**
 * A campaign with rounds stands from now on: one that runs at once, and one that is over by another that begins now. Passes count
 * until the date on which a round was due, and everyone is asked from the date on which one began, each year.
 */
function withoutRounds(state: CampaignState17, about: About): unknown {
  const { isRepeated = false, campaign: kept, ...progress } = state;
  about.notes.set(`campaign/${kept.id}`, campaignOfToday(kept));
  if (isOfToday(kept) || kept.repeats === undefined) return state;
  const { repeats, countsFrom, ...campaign } = kept;
  const goesOn = repeats === 'yearly' && !isRepeated && !about.notes.has(`stopped/${about.name}`);
  if (goesOn && campaign.endedAt === null) {
    const standing = asStanding(campaign);
    about.notes.set(`campaign/${campaign.id}`, campaignOfToday(standing));
    return { ...progress, campaign: standing };
  }
  if (goesOn && progress.endedByItself) {
    const next = campaignOfToday(nextRound(campaign, about.now));
    about.notes.set(`campaign/${next.id}`, next);
    const event = { kind: 'start', campaign: next } as const;
    about.put({
      queue: campaignQueue(campaign.teamId, next.id),
      subscriptionId: 'campaigns',
      at: about.now,
      content: { kind: 'campaign-event', event },
    });
  }
  // A pass of the round before is about a year old.
  const validity = countsFrom !== undefined && campaign.endedAt === null && { validity: { months: 11 } };
  return { ...progress, campaign: { ...campaign, ...validity } };
}

function asStanding(campaign: Campaign17): Campaign17 {
  const { startedAt, schedule, lead, validity } = campaign;
  const { dueAt = startedAt + 30 * dayMs, endsAt: _, ...withoutTimes } = schedule;
  const clock = wallClock(lead.timeZone);
  const [from, due] = [startedAt, dueAt].map((at) => Math.floor(clock.shownAt(at) / dayMs)) as [number, number];
  const date = new Date(due * dayMs);
  const withinDays = Math.min(Math.max(1, due - from), 366);
  const rule: Validity = validity ?? { until: { month: date.getUTCMonth() + 1, day: date.getUTCDate() } };
  const longest = 'months' in rule ? Math.min(rule.months * 28 - 1, 180) : 180;
  const renewDays = validity === undefined ? Math.min(withinDays + 1, longest) : Math.min(30, Math.floor(longest / 2));
  return {
    ...campaign,
    validity: rule,
    standing: { withinDays, renewDays, holidays: [] },
    schedule: withoutTimes,
  };
}

/** `<id>.2`, as 1.7 named it. Who was excused takes part again; who has left the audience is found out when it is compared. */
function nextRound(campaign: Campaign17, now: number): Campaign17 {
  const { obstacle: _, quizKnownAt: _q, dueChangedAt: _d, unable: _u, leftOut: _l, ...standing } = asStanding(campaign);
  const [first = '', round = '1'] = campaign.id.split('.');
  return {
    ...standing,
    id: `${first}.${Number(round) + 1}`,
    startedAt: now,
    endedAt: null,
    remindNowAt: null,
    escalatedUpTo: 0,
    knowsDelivery: true,
    batchId: null,
    members: campaign.members
      .filter(({ assignment, result }) => assignment === undefined || (result ?? null) !== null)
      .map((member): Member17 => ({
        ...picked(member, 'userId', 'name', 'groups', 'personId', 'timeZone'),
        addedAt: now,
        notifiedAt: null,
        remindedAt: [],
        snoozedUntil: null,
        attempts: [],
        excused: null,
        saidNotMeAt: null,
      })),
  };
}

type Summary17 = Omit<CampaignSummary, 'leads'> & { leads?: readonly string[]; repeatsAt?: number };

/** The list has who leads them, which 1.6 did not list, and the campaigns that begin. */
function listedWithoutRounds(list: { campaigns: readonly Summary17[] }, about: About) {
  if (list.campaigns.every(({ leads, repeatsAt }) => leads !== undefined && repeatsAt === undefined)) return list;
  const summaryOf = (one: Summary17): CampaignSummary => {
    const campaign = about.notes.get(`campaign/${one.id}`) as Campaign | undefined;
    const leads = one.leads ?? campaign?.leads ?? [];
    // Who comes by a channel is found when it is compared, once a day.
    return { ...one, leads, ...(campaign?.rule.standing && { watches: one.watches ?? campaign.audience }) };
  };
  return {
    campaigns: list.campaigns.flatMap(({ repeatsAt, ...one }) => {
      const [first = '', round = '1'] = one.id.split('.');
      const nextId = `${first}.${Number(round) + 1}`;
      const next =
        repeatsAt === undefined ? undefined : (about.notes.get(`campaign/${nextId}`) as Campaign | undefined);
      const begins = next === undefined ? [] : [summaryOf({ ...one, id: nextId, startedAt: about.now, endedAt: null })];
      return [...begins, summaryOf(one)];
    }),
  };
}

/** A campaign that begins, and one that a person has stopped from going on: nothing reads that event any more. */
function eventOfRounds(content: { event?: { kind: string; campaign?: Campaign17 | Campaign } }, about: About): unknown {
  const { kind, campaign } = content.event ?? {};
  if (kind === 'no-repeat') about.notes.set(`stopped/${about.name}`, true);
  if (campaign !== undefined) about.notes.set(`campaign/${campaign.id}`, campaignOfToday(campaign));
  return content;
}
