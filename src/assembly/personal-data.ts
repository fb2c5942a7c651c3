import type { LiveState } from '../features/delivery/live-messages.ts';
import type { ApprovalRequest, ChangePreview, Target } from '../domain/approval-request.ts';
import type { Batch, BatchRow } from '../domain/batch.ts';
import type { Campaign, CampaignEvent, CampaignMember, Rule } from '../domain/campaign.ts';
import type { AuditEntry } from '../domain/audit-chain.ts';
import type { SetAsideEvent } from '../domain/alerts-status.ts';
import {
  addressId,
  alias,
  dropped,
  each,
  text,
  whose,
  type AnyDescription,
  type Describe,
  type Description,
  type Standing,
} from '../domain/erasure.ts';
import type { Plan } from '../domain/plan.ts';
import type { QueueEntry, Submission } from '../domain/queue-entry.ts';
import { readQueue, userOfQueue } from '../domain/queue-names.ts';
import type { Subscription } from '../domain/subscription.ts';
import type { ListedWait, ResultWait, StepExecution } from '../domain/workflow.ts';
import type { Colleague } from '../slack/people/addresses.ts';
import type { Known } from '../slack/people/people.ts';
import type { StoredToken } from '../features/agents/tokens.ts';
import type { ChannelState } from '../features/delivery/next-step.ts';
import type { PersonState } from '../features/delivery/person-view.ts';
import type { StoredRows } from '../features/batches/batch-service.ts';
import type { StoredBatch } from '../features/batches/stored-batch.ts';
import type { StoredList } from '../features/campaigns/campaign-service.ts';
import type { AnswersState } from '../features/questions/answers.ts';
import type { CampaignState } from '../features/campaigns/stored-campaign.ts';
import type { DeparturesState } from '../features/departures/departures-state.ts';
import type { StoredGrants } from '../features/workflows/step-grants.ts';
import type { StepState } from '../features/workflows/step-machine.ts';
import type { WaitsState } from '../features/workflows/waiting.ts';
import type { Shown } from '../governance/approvals/requests.ts';
import type { AuditState } from '../governance/audit/audit-machine.ts';
import type { PasswordGrant } from '../governance/passwords/grants.ts';
import type { RightsGiver } from '../governance/rights/user-protection.ts';
import type { KeyedNamespace } from '../storage/keyed-values.ts';
import type { EventContent } from '../storage/storage.ts';

/** What is a label here is no text of the bot. */
const free = 'free';
const said = 'said';

const described = <Value>(description: Description<Value>): AnyDescription => description as AnyDescription;

/** A keyed value that is one person’s: the last part of its key is their ID. */
const ofKey = (_: unknown, { key }: Standing) => [key.split(':').at(-1)];

const userTargets = (targets: readonly { kind: string; id: string }[]) => [
  ...new Set(targets.flatMap(({ kind, id }) => (kind === 'user' ? [id] : []))),
];
/** The one user among targets. */
const onlyUser = (targets: readonly { kind: string; id: string }[]) => {
  const users = userTargets(targets);
  return users.length === 1 ? users : [];
};

const addressesIn = (input: Readonly<Record<string, readonly string[] | undefined>>) =>
  [...(input['user_name'] ?? []), ...(input['email_address'] ?? [])].map(addressId);

const target: Description<Target> = {
  [whose]: ({ kind, id }) => (kind === 'user' ? [id] : []),
  id: 'free',
  name: 'name',
  facts: { [each]: 'words' },
};
const preview: Description<ChangePreview> = {
  action: 'said',
  effect: 'words',
  details: { label: free, value: 'words' },
  targets: target,
  privileged: 'said',
  changes: 'said',
};

const inputOf = ({ operation, input, addressIds = [] }: Pick<ApprovalRequest, 'operation' | 'input' | 'addressIds'>) =>
  operation === 'create-user' ? [...addressesIn(input), ...addressIds] : [];

/** A request to create somebody is about whom it created, or has the address of. */
const request: Description<ApprovalRequest> = {
  [whose]: (one) => {
    const users = userTargets(one.asked.targets);
    if (users.length > 0) return users.length === 1 ? users : [];
    return one.outcome?.createdId === undefined ? inputOf(one) : [one.outcome.createdId];
  },
  [alias]: (one) => [`request:${one.id}`, ...inputOf(one)],
  id: 'free',
  teamId: 'free',
  operation: 'free',
  input: { [each]: 'words' },
  addressIds: 'words',
  requesterId: 'free',
  reason: 'words',
  asked: preview,
  decision: { by: 'free', comment: 'words', preview },
  lastFailure: { message: 'words', by: 'free' },
  outcome: {
    message: 'words',
    createdId: 'free',
    passwordOffer: { [whose]: ({ userId }) => [userId], personId: 'free', userId: 'free', name: 'name' },
  },
  posts: {
    messages: { channel: 'free', ts: 'free' },
    shown: 'free',
    trouble: 'said',
    requester: { channel: 'free', ts: 'free' },
    told: 'free',
  },
};

const excuse = { by: 'free', reason: 'words' } as const;
const member: Description<CampaignMember> = {
  [whose]: ({ userId }) => [userId],
  [alias]: ({ personId }) => [personId],
  userId: 'free',
  name: 'name',
  groups: 'free',
  personId: 'free',
  timeZone: 'free',
  messages: { failure: 'free' },
  attempts: { responseId: 'free' },
  excused: excuse,
  managerId: 'free',
  notReportOf: 'free',
};
const quiz = { id: 'free', name: 'free' } as const;
const candidate = { [whose]: ({ userId }: { userId: string }) => [userId], userId: 'free', name: 'name' } as const;
const answering = { personId: 'free', userId: 'free' } as const;
const offer = { by: answering, to: answering } as const;
const rule: Description<Rule> = { standing: { holidays: 'free' }, board: { channelId: 'free' } };
const campaign: Description<Campaign> = {
  id: 'free',
  teamId: 'free',
  quiz,
  obstacle: { by: 'free' },
  ownerId: 'free',
  approvedBy: 'free',
  rule,
  leads: 'free',
  timeZone: 'free',
  members: member,
  assigning: { batchId: 'free' },
  audience: 'free',
  leftOut: 'free',
  except: 'free',
  candidates: { people: candidate },
  unreadable: 'free',
  // What the owner says to everybody.
  words: 'free',
};

/** The person of a row: its user, whom the batch made, or whose address it has. */
const idsOfRow = (row: BatchRow | undefined, key: string, place: number): (string | undefined)[] => {
  if (row === undefined) return [];
  const userId = row.kind === 'change' ? row.userId : row.outcome.userId;
  if (userId !== undefined) return [userId];
  return [rowId(key, place), ...(row.kind === 'change' ? row.changes.flatMap(({ input }) => addressesIn(input)) : [])];
};
/** By the key of a batch’s rows, or its mailbox. */
const rowId = (key: string, place: number) => `row:${key.split(/[:/]/).slice(1).join('/')}/${place}`;
const placeIn = ({ path }: Standing) => Number(path.at(-1));

const ofRow = (row: unknown, standing: Standing) => idsOfRow(row as BatchRow, standing.key, placeIn(standing));
const outcomeTexts = { error: 'words', userId: 'free' } as const;
const change = { operation: 'free', input: { [each]: 'words' } } as const;
const row: Description<BatchRow> = {
  [whose]: ofRow,
  [alias]: (one, standing) => [
    rowId(standing.key, placeIn(standing)),
    ...(one.kind === 'change' ? one.changes.flatMap(({ input }) => addressesIn(input)) : []),
  ],
  name: 'name',
  outcome: outcomeTexts,
  words: 'words',
  changes: change,
  undo: { operation: 'free', words: 'words' },
  userId: 'free',
  notify: { quizId: 'free', quizName: 'free', users: { userId: 'free', groupId: 'free' } },
  shown: 'free',
};
const batch: Description<Batch> = {
  id: 'free',
  teamId: 'free',
  ownerId: 'free',
  approvedBy: 'free',
  operation: 'free',
  action: 'said',
  done: 'said',
  outcomes: outcomeTexts,
  approval: { by: 'free' },
  liveId: 'free',
  takesOver: { correlationId: 'free' },
};

/** The cells of a file, beside the row with the same number. */
const source: Description<NonNullable<StoredRows['source']>> = {
  header: 'free',
  cells: {
    [text]: 'words',
    [whose]: (_, { root, key, path }) => {
      const place = Number(path.at(-2));
      const { rows } = ((root as Partial<Plan>).content ?? root) as StoredRows;
      return idsOfRow(rows[place], key, place);
    },
  },
};

const execution: Description<StepExecution> = {
  [whose]: ({ inputs }) => [inputs['person']],
  id: 'free',
  teamId: 'free',
  appId: 'free',
  workflowId: 'free',
  step: 'free',
  inputs: { [each]: 'words' },
};
const ending = { outputs: { [each]: 'words' }, message: 'words' } as const;
const wait = {
  [whose]: ({ userId }: { userId: string }) => [userId],
  personId: 'free',
  grantId: 'free',
  quizId: 'free',
  userId: 'free',
  names: { user: 'name', quiz: 'free' },
  result: { grade: 'free' },
} as const satisfies Description<ResultWait>;

const listed: Description<ListedWait> = { executionId: 'free', quizId: 'free', userId: 'free' };

const submission: Description<Submission> = {
  [whose]: ({ userId }) => [userId],
  quizId: 'free',
  quizName: 'free',
  responseId: 'free',
  userId: 'free',
  name: 'name',
  grade: 'free',
  corrects: { grade: 'free' },
};

const entry: Description<AuditEntry> = {
  [whose]: ({ targets = [] }) => onlyUser(targets),
  correlationId: 'free',
  by: 'free',
  approvedBy: 'free',
  operation: 'free',
  change: 'said',
  through: 'free',
  targets: { [whose]: ({ kind, id }) => (kind === 'user' ? [id] : []), kind: 'free', id: 'free', name: 'name' },
  details: { label: free, value: 'words' },
  request: 'free',
  batch: 'free',
  message: 'words',
  notMade: 'words',
};

/** The one person whom an event of a campaign is about. */
const ofEvent = (event: CampaignEvent) => {
  if ('userId' in event) return [event.userId];
  return 'userIds' in event && event.userIds?.length === 1 ? event.userIds : [];
};

const ofImported = { [whose]: ({ of }: { of?: string }) => [of], of: 'words' } as const;
const plan: Description<Plan> = {
  id: 'free',
  teamId: 'free',
  personId: 'free',
  entered: { operation: 'free', input: { [each]: 'said' } },
  content: {
    campaignId: 'free',
    into: 'free',
    quiz,
    timeZone: 'free',
    draft: {
      quiz,
      rule,
      leads: 'free',
      timeZone: 'free',
      audience: 'free',
      leftOut: 'free',
      except: 'free',
      words: 'free',
    },
    members: {
      [whose]: ({ userId }) => [userId],
      userId: 'free',
      name: 'name',
      groups: 'free',
      personId: 'free',
      timeZone: 'free',
    },
    assign: {
      groups: quiz,
      users: { [whose]: ({ id }) => [id], id: 'free', name: 'name' },
    },
    leftOut: {
      passed: 'said',
      suspended: 'said',
      guests: 'said',
      excepted: 'said',
      withoutUser: { [whose]: ({ personId }) => [personId], personId: 'free', name: 'name' },
    },
    valid: { name: 'said' },
    firstMessagesLocal: 'free',
    laterNames: 'said',
    lateNames: 'said',
    overlaps: { campaignId: 'free', ownerId: 'free' },
    collectives: { names: 'free' },
    leadNames: 'said',
    change: { standing: { holidays: 'free' }, board: { channelId: 'free' } },
    before: rule,
    after: rule,
    operation: 'free',
    action: 'said',
    done: 'said',
    rows: row,
    privileged: 'said',
    things: { id: 'free', name: 'free' },
    source,
    imported: {
      source: 'free',
      problems: { ...ofImported, person: 'name', note: 'words' },
      gone: { ...ofImported, person: 'name', note: 'words', suspend: 'free' },
      privileged: 'said',
      notices: 'said',
      names: { ...ofImported, written: 'name', first: 'name', last: 'name' },
      people: { ...ofImported, person: 'name' },
    },
  },
};

/** By their namespaces. `dropped`: goes with whomever is erased, since nothing says whose it is. */
const values: Record<KeyedNamespace, AnyDescription | 'dropped'> = {
  'agent-tokens': described<{ tokens: StoredToken[] }['tokens']>({
    [whose]: ofKey,
    [dropped]: true,
    hash: 'free',
    name: 'free',
  }),
  'answered-messages': 'free',
  'audit-anchors': 'free',
  'batch-rows': described<StoredRows>({ rows: row, source }),
  'channel-languages': 'free',
  'direct-messages': described<string>({ [whose]: ofKey, [dropped]: true, [text]: 'free' }),
  'evidence-key': 'free',
  'password-grants': described<PasswordGrant>({ [whose]: ofKey, [dropped]: true, type: 'free', flags: 'free' }),
  'rights-gained': described<RightsGiver>({ personId: 'free', keys: 'free' }),
  'person-languages': described<string>({ [whose]: ofKey, [dropped]: true, [text]: 'free' }),
  plans: described<Plan & { latest?: string[] }>({ ...plan, latest: 'free' }),
  'quiz-budget': 'free',
  'refused-signatures': 'free',
  'set-aside': described<SetAsideEvent>({
    [whose]: ({ userId }) => [userId],
    quizId: 'free',
    responseId: 'free',
    quizName: 'free',
    userId: 'free',
    name: 'name',
  }),
  'shown-requests': described<Shown>({
    [whose]: ({ preview: shown }, { key }) => [`request:${key.split(':').at(-2)}`, ...onlyUser(shown?.targets ?? [])],
    [dropped]: true,
    preview,
    reason: 'words',
  }),
  'slack-colleagues': described<{ colleague: Colleague | null }>({
    [whose]: ({ colleague }) => [colleague?.personId],
    [dropped]: true,
    colleague: { personId: 'free', timeZone: 'free' },
  }),
  'slack-conversations': 'free',
  'slack-locales': described<{ locale: string | null }>({ [whose]: ofKey, [dropped]: true, locale: 'free' }),
  'slack-managers': 'free',
  'slack-people': described<Known>({
    [whose]: ({ emailAddress }, standing) => [...ofKey(undefined, standing), addressId(emailAddress ?? '')],
    [dropped]: true,
    emailAddress: 'words',
    personId: 'free',
    timeZone: 'free',
    locale: 'free',
    name: 'name',
    firstName: 'name',
    lastName: 'name',
  }),
  'store-notices': 'free',
  'store-owner': 'free',
  unreadable: 'dropped',
};

const thread = { quizId: 'free', quizName: 'free', day: 'free', timeZone: 'free', messageId: 'free' } as const;
const posting = { lastMessageId: 'free', problem: { code: 'free' } } as const;

const question = {
  id: 'free',
  text: 'free',
  categories: 'free',
  options: { id: 'free', text: 'free' },
} as const;
/** Which options were chosen in an attempt, by its ID. */
const attempt: Description<AnswersState['attempts'][number]> = { id: 'free', answers: 'free' };

/** By the kinds of mailboxes. */
const states: Readonly<Record<string, AnyDescription>> = {
  answers: described<AnswersState>({ questions: question, attempts: attempt }),
  audit: described<AuditState>({
    channelId: 'free',
    posts: { [each]: { messageId: 'free' } },
    inFlight: { id: 'free', shows: { subject: 'free' } },
    ...posting,
  }),
  backfill: described<{ lastQuizId: string }>({ lastQuizId: 'free' }),
  batch: described<StoredBatch>({
    batch,
    kinds: 'free',
    details: {
      [each]: {
        [whose]: ({ userId }, standing) => [userId, rowId(standing.key, placeIn(standing))],
        [alias]: (_, standing) => [rowId(standing.key, placeIn(standing))],
        ...outcomeTexts,
      },
    },
    problem: 'said',
  }),
  campaign: described<CampaignState>({
    campaign,
    unrecorded: entry,
  }),
  campaigns: described<StoredList>({
    campaigns: { id: 'free', quiz, ownerId: 'free', leads: 'free', watches: 'free', requires: 'free', offer },
  }),
  channel: described<ChannelState>({
    inFlight: { id: 'free', thread: { key: 'free', counted: thread } },
    threads: { [each]: thread },
    ...posting,
  }),
  departures: described<DeparturesState>({
    people: { userId: 'free', personId: 'free' },
    lists: { id: 'free', readers: { channelId: 'free', personId: 'free' }, people: candidate },
  }),
  digest: 'free',
  grants: described<StoredGrants>({
    grants: { id: 'free', personId: 'free', step: 'free', workflowId: 'free' },
  }),
  live: described<LiveState>({
    message: { channelId: 'free', id: 'free' },
    shown: 'free',
    inFlight: { id: 'free', channelId: 'free', shows: 'free' },
    ...posting,
  }),
  person: described<PersonState>({ inFlight: { id: 'free' }, ...posting }),
  step: described<StepState>({
    [whose]: (state) => [
      'execution' in state ? state.execution.inputs['person'] : undefined,
      'requestId' in state ? `request:${state.requestId}` : undefined,
    ],
    execution,
    requestId: 'free',
    wait,
    ending,
  }),
  waits: described<WaitsState>({ waits: listed }),
  request: described<ApprovalRequest>(request),
  requests: described<readonly { id: string }[]>({ id: 'free' }),
};

const about = { campaignId: 'free', quizName: 'free' } as const;
const noteStep = { label: said, operation: 'free', input: { [each]: 'free' }, spoken: 'said', hint: said } as const;
/** What waits in mailboxes. A message to a person waits in theirs; what it says of others has their IDs. */
const mail: {
  [Kind in QueueEntry['content']['kind']]: Description<Extract<QueueEntry['content'], { kind: Kind }>>;
} = {
  submission: { submission },
  digest: {
    digest: { quizzes: { quizId: 'free', quizName: 'free', failedNames: 'said' } },
  },
  assigned: { quizId: 'free', quizName: 'free', by: 'free', groupId: 'free' },
  'own-result': {
    [whose]: (_, { key }) => [userOfQueue(readQueue(key).id)],
    submission: { ...submission, [whose]: (_, { key }) => [userOfQueue(readQueue(key).id)] },
    reportUrl: 'words',
  },
  'own-password': { by: 'free', of: { batchId: 'free' } },
  note: {
    campaignId: 'free',
    note: {
      heading: 'said',
      parts: { lines: 'said', steps: noteStep },
      steps: noteStep,
      notes: 'said',
    },
  },
  week: {},
  'campaign-notice': { ...about, quizId: 'free', by: 'free', words: 'free' },
  'campaign-escalation': { ...about, names: 'said', unreached: { names: 'said' }, ownQuizId: 'free' },
  'campaign-reports': about,
  'campaign-event': {
    event: {
      [whose]: ofEvent,
      campaign,
      userId: 'free',
      userIds: 'free',
      responseId: 'free',
      results: { userId: 'free', responseId: 'free' },
      deletedIds: 'free',
      suspendedIds: 'free',
      failure: 'free',
      managerId: 'free',
      by: 'free',
      reason: 'words',
      change: { standing: { holidays: 'free' }, board: { channelId: 'free' } },
      // Of the quiz.
      name: 'free',
      ownerId: 'free',
      leads: 'free',
      timeZone: 'free',
      members: member,
      batchId: 'free',
      parts: 'free',
      candidates: { people: candidate },
    },
  },
  'batch-event': { event: { batch, by: 'free', approval: { by: 'free' } } },
  'workflow-event': {
    event: {
      execution,
      wait: { ...wait, executionId: 'free' },
      ending,
      executionId: 'free',
      result: { grade: 'free' },
    },
  },
  'departure-event': { event: { personId: 'free', listId: 'free', userIds: 'free' } },
  'erasing-event': {
    event: { by: 'free', person: { userId: 'free', personId: 'free', addresses: 'free' } },
  },
  refresh: {},
  answered: { id: 'free', questions: question, answers: 'free' },
};

const event: Description<EventContent> = {
  [whose]: (content) => ['respondent' in content ? content.respondent?.userId : undefined],
  submission,
  respondent: { userId: 'free', reportUrl: 'words' },
  quizId: 'free',
  responseId: 'free',
};

const delivery = { at: 'free' } as const;
const subscription: Description<Subscription> = {
  id: 'free',
  teamId: 'free',
  channelId: 'free',
  ownerId: 'free',
  quiz,
  filter: { grade: 'free' },
  delivery,
  timeZone: 'free',
  pause: { by: 'free', code: 'free' },
};

const parts: Readonly<Record<string, AnyDescription>> = {
  // The questions, or an attempt.
  answers: { ...question, ...attempt },
  campaign: described<CampaignMember>(member),
  subscriptions: described<Subscription>(subscription),
};

/** Describes every text that is stored. */
export const describeStored: Describe = ({ in: place, key }, value) => {
  switch (place) {
    case 'value': {
      const [, namespace = ''] = /^([^:]*):/.exec(key) ?? [];
      return Object.entries(values).find(([name]) => name === namespace)?.[1];
    }
    case 'state':
      return states[readQueue(key).kind];
    case 'part':
      return parts[readQueue(key).kind];
    case 'entry':
      return Object.entries(mail).find(([kind]) => kind === (value as { kind?: string }).kind)?.[1] as AnyDescription;
    case 'event':
      return described<EventContent>(event);
  }
};
