import type { LiveState } from '../features/delivery/live-messages.ts';
import type { ApprovalRequest, ChangePreview, Target } from '../domain/approval-request.ts';
import type { Batch, BatchRow } from '../domain/batch.ts';
import type { Campaign, CampaignEvent, CampaignMember } from '../domain/campaign.ts';
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
import { readQueue, userOfQueue, type QueueEntry, type Submission } from '../domain/queues.ts';
import type { Subscription } from '../domain/subscription.ts';
import type { ResultWait, StepExecution } from '../domain/workflow.ts';
import type { Colleague } from '../slack/people/addresses.ts';
import type { Known } from '../slack/people/people.ts';
import type { StoredToken } from '../features/agents/tokens.ts';
import type { ChannelState } from '../features/delivery/next-step.ts';
import type { StoredRows } from '../features/batches/batch-service.ts';
import type { StoredBatch } from '../features/batches/stored-batch.ts';
import type { StoredList } from '../features/campaigns/campaign-service.ts';
import type { AnswersState } from '../features/questions/answers.ts';
import type { CampaignState } from '../features/campaigns/stored-campaign.ts';
import type { DeparturesState } from '../features/departures/departures-state.ts';
import type { StoredGrants } from '../features/workflows/step-grants.ts';
import type { StepState } from '../features/workflows/step-machine.ts';

import type { Shown } from '../governance/approvals/requests.ts';
import type { AuditState } from '../governance/audit/audit-machine.ts';
import type { PasswordGrant } from '../governance/passwords/grants.ts';
import type { RightsGiver } from '../governance/rights/user-protection.ts';
import type { KeyedNamespace } from '../storage/keyed-values.ts';

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
  input: { [each]: 'words' },
  addressIds: 'words',
  reason: 'words',
  asked: preview,
  decision: { comment: 'words', preview },
  lastFailure: { message: 'words' },
  outcome: {
    message: 'words',
    passwordOffer: { [whose]: ({ userId }) => [userId], name: 'name' },
  },
  posts: {
    messages: { channel: 'free' },
    shown: 'free',
    trouble: 'said',
    requester: { channel: 'free' },
    told: 'free',
  },
};

const excuse = { reason: 'words' } as const;
const member: Description<CampaignMember> = {
  [whose]: ({ userId }) => [userId],
  [alias]: ({ personId }) => [personId],
  name: 'name',
  groups: 'free',
  messages: { failure: 'free' },
  excused: excuse,
  notReportOf: 'free',
};
const candidate = { [whose]: ({ userId }: { userId: string }) => [userId], name: 'name' } as const;
const campaign: Description<Campaign> = {
  members: member,
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
const outcomeTexts = { error: 'words' } as const;
const change = { input: { [each]: 'words' } } as const;
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
  undo: { words: 'words' },
  shown: 'free',
};
const batch: Description<Batch> = {
  action: 'said',
  done: 'said',
  outcomes: outcomeTexts,
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
  step: 'free',
  inputs: { [each]: 'words' },
};
const ending = { outputs: { [each]: 'words' }, message: 'words' } as const;
const wait = {
  [whose]: ({ userId }: { userId: string }) => [userId],
  names: { user: 'name' },
  result: { grade: 'free' },
} as const satisfies Description<ResultWait>;

const submission: Description<Submission> = {
  [whose]: ({ userId }) => [userId],
  name: 'name',
  grade: 'free',
  corrects: { grade: 'free' },
};

const entry: Description<AuditEntry> = {
  [whose]: ({ targets = [] }) => onlyUser(targets),
  change: 'said',
  through: 'free',
  targets: { [whose]: ({ kind, id }) => (kind === 'user' ? [id] : []), kind: 'free', name: 'name' },
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
  entered: { input: { [each]: 'said' } },
  content: {
    into: 'free',
    draft: {
      audience: 'free',
      leftOut: 'free',
      except: 'free',
      words: 'free',
    },
    members: {
      [whose]: ({ userId }) => [userId],
      name: 'name',
      groups: 'free',
    },
    assign: {
      groups: { name: 'free' },
      users: { [whose]: ({ id }) => [id], name: 'name' },
    },
    leftOut: {
      passed: 'said',
      suspended: 'said',
      guests: 'said',
      excepted: 'said',
      withoutUser: { [whose]: ({ personId }) => [personId], name: 'name' },
    },
    valid: { name: 'said' },
    firstMessagesLocal: 'free',
    laterNames: 'said',
    lateNames: 'said',
    collectives: { names: 'free' },
    leadNames: 'said',
    action: 'said',
    done: 'said',
    rows: row,
    privileged: 'said',
    things: { name: 'free' },
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
  'rights-gained': described<RightsGiver>({ keys: 'free' }),
  'person-languages': described<string>({ [whose]: ofKey, [dropped]: true, [text]: 'free' }),
  plans: described<Plan & { latest?: string[] }>({ ...plan, latest: 'free' }),
  'quiz-budget': 'free',
  'refused-signatures': 'free',
  'set-aside': described<SetAsideEvent>({
    [whose]: ({ userId }) => [userId],
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
  }),
  'slack-conversations': 'free',
  'slack-locales': described<{ locale: string | null }>({ [whose]: ofKey, [dropped]: true, locale: 'free' }),
  'slack-managers': 'free',
  'slack-people': described<Known>({
    [whose]: ({ emailAddress }, standing) => [...ofKey(undefined, standing), addressId(emailAddress ?? '')],
    [dropped]: true,
    emailAddress: 'words',
    locale: 'free',
    name: 'name',
    firstName: 'name',
    lastName: 'name',
  }),
  'store-notices': 'free',
  'store-owner': 'free',
  unreadable: 'dropped',
};

const thread = { day: 'free' } as const;

const question = {
  text: 'free',
  categories: 'free',
  options: { text: 'free' },
} as const;
/** Which options were chosen in an attempt, by its ID. */
const attempt: Description<AnswersState['attempts'][number]> = { answers: 'free' };

/** By the kinds of mailboxes. */
const states: Readonly<Record<string, AnyDescription>> = {
  answers: described<AnswersState>({ questions: question, attempts: attempt }),
  audit: described<AuditState>({
    inFlight: { shows: { subject: 'free' } },
  }),
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
  campaigns: described<StoredList>({ campaigns: { watches: 'free', requires: 'free' } }),
  channel: described<ChannelState>({
    inFlight: { thread: { key: 'free', counted: thread } },
    threads: { [each]: thread },
  }),
  departures: described<DeparturesState>({ lists: { people: candidate } }),
  digest: 'free',
  grants: described<StoredGrants>({ grants: { step: 'free' } }),
  live: described<LiveState>({
    shown: 'free',
    inFlight: { shows: 'free' },
  }),
  step: described<StepState>({
    [whose]: (state) => [
      'execution' in state ? state.execution.inputs['person'] : undefined,
      'requestId' in state ? `request:${state.requestId}` : undefined,
    ],
    execution,
    wait,
    ending,
  }),
  request: described<ApprovalRequest>(request),
};

const noteStep = { label: said, input: { [each]: 'free' }, spoken: 'said', hint: said } as const;
/** What waits in mailboxes. A message to a person waits in theirs; what it says of others has their IDs. */
const mail: {
  [Kind in QueueEntry['content']['kind']]: Description<Extract<QueueEntry['content'], { kind: Kind }>>;
} = {
  submission: { submission },
  digest: {
    digest: { quizzes: { failedNames: 'said' } },
  },
  assigned: {},
  'own-result': {
    [whose]: (_, { key }) => [userOfQueue(readQueue(key).id)],
    submission: { ...submission, [whose]: (_, { key }) => [userOfQueue(readQueue(key).id)] },
    reportUrl: 'words',
  },
  'own-password': {},
  note: {
    note: {
      heading: 'said',
      parts: { lines: 'said', steps: noteStep },
      steps: noteStep,
      notes: 'said',
    },
  },
  week: {},
  'campaign-notice': { words: 'free' },
  'campaign-escalation': { names: 'said', unreached: { names: 'said' } },
  'campaign-reports': {},
  'campaign-event': {
    event: {
      [whose]: ofEvent,
      campaign,
      failure: 'free',
      reason: 'words',
      // Of the quiz.
      name: 'free',
      members: member,
      parts: 'free',
      candidates: { people: candidate },
    },
  },
  'batch-event': { event: { batch } },
  'workflow-event': {
    event: {
      execution,
      wait,
      ending,
      result: { grade: 'free' },
    },
  },
  'departure-event': {},
  'erasing-event': {
    event: { person: { addresses: 'free' } },
  },
  'inbox-event': {
    event: {
      content: {
        [whose]: (content) => ['respondent' in content ? content.respondent?.userId : undefined],
        submission,
        respondent: { reportUrl: 'words' },
      },
      // These name nobody.
      subject: 'free',
      result: 'free',
      replaces: 'free',
    },
  },
  refresh: {},
  answered: { questions: question, answers: 'free' },
};

const delivery = { at: 'free' } as const;
const subscription: Description<Subscription> = {
  filter: { grade: 'free' },
  delivery,
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
  }
};
