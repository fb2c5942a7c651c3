import { createAnswers } from '../../src/features/questions/answers.ts';
import { byParticipant } from './approvals-bed.ts';
import { alertsStatus } from './builders/alerts.ts';
import { closedReason } from '../../src/slack/errors.ts';
import { createOneAtATime } from '../../src/storage/leases.ts';
import { createSharedState } from '../../src/durable/mail.ts';
import { createMemoryMail } from './memory-outbox.ts';
import { onTestFinished, vi } from 'vitest';
import { createDirectory } from '../../src/directory/directory.ts';
import { createIdentity, type Person } from '../../src/directory/identity.ts';
import type { Notifier } from '../../src/governance/approvals/announce.ts';
import { createGovernance } from '../../src/governance/governance.ts';
import { createBatches } from '../../src/features/batches/batch-machine.ts';
import { createCampaignLists, createCampaignService } from '../../src/features/campaigns/campaign-service.ts';
import { createRecentOwnQuizzes } from '../../src/features/quizzes/assigned-quizzes.ts';
import { createEvidenceTools } from '../../src/features/evidence/signing-keys.ts';
import { createChannelLanguages } from '../../src/features/alerts/subscriptions.ts';
import { createPlans } from '../../src/governance/perform/plans.ts';
import { createContext } from '../../src/governance/perform/operation-context.ts';
import { createTakeLink } from '../../src/assembly/parts.ts';
import type { PutAssigned } from '../../src/governance/perform/carry-out.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import type { SubscriptionService, SubscriptionState } from '../../src/operations/services/features.ts';
import type { FileReference } from '../../src/operations/services/files.ts';
import type { DepartureService, MemberList, Profile } from '../../src/operations/services/people.ts';
import { QuizApiError } from '../../src/quiz-api/errors.ts';
import { operationNamed } from '../../src/operations/catalog.ts';
import type { TextInput } from '../../src/operations/text-input.ts';
import type { OperationRequest } from '../../src/governance/perform/execute.ts';
import type { QuizApi } from '../../src/quiz-api/quiz-api.ts';
import type { Quiz, Group, User } from '../../src/quiz-api/records.ts';
import type { QuizResponse } from '../../src/quiz-api/responses.ts';
import type { CallOptions } from '../../src/quiz-api/transport.ts';
import type { Mention } from '../../src/operations/typed-text.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { recordingLog } from './log.ts';
import { temporaryDirectory } from './temporary.ts';
import { quizUser } from './builders/users.ts';
import { retentionMs } from './builders/campaigns.ts';

export const teamId = 'T0SANDBOX';

const crew = { group_id: 'g-1', group_name: 'Crew' };
const warehouse = { group_id: 'g-2', group_name: 'Warehouse' };

/** A user in the group Crew, whose Slack id is UADA for Ada. */
const named = (name: string, more: Partial<User>): User =>
  quizUser({
    user_id: `u-${name.toLowerCase()}`,
    user_name: `${name.toLowerCase()}@quiz.example`,
    email_address: '',
    first_name: name,
    last_name: '',
    groups: [crew],
    ...more,
  });

const isReadings = (
  input: TextInput | readonly [TextInput, ...TextInput[]],
): input is readonly [TextInput, ...TextInput[]] => Array.isArray(input);

export interface HouseOptions {
  allowsSelfApproval?: boolean;
  subscriptions?: SubscriptionState[];
  people?: Record<string, Partial<Person>>;
  owners?: string[];
  /** IDs of users whose person has left. */
  departed?: readonly string[];
  members?: Record<string, MemberList>;
  /** By the person they manage. */
  managers?: Record<string, string>;
  profiles?: readonly Profile[];
  files?: Record<string, string | Buffer>;
  /** The other companies that read a channel. */
  companies?: Record<string, readonly string[]>;
}

export type House = ReturnType<typeof openHouse>;

/**
 * The kernel over an account in memory and a store of its own, before a platform that keeps what it gets: everything that anybody
 * does in it is an operation. It closes when the test ends.
 */
export function openHouse(options: HouseOptions = {}) {
  const clock = { now: 1_000_000 };
  /** Who is to be erased, and whose user is deleted. */
  const erasing: unknown[] = [];
  const dismiss = vi.fn<DepartureService['dismiss']>(async () => {});
  const storage = openSqliteStorage(temporaryDirectory(), { now: () => clock.now });
  const users: User[] = [
    named('Ada', { user_type: 'administrator', edit_quizzes: true, manage_users: true, manage_groups: true }),
    named('Erin', { user_type: 'trainer', edit_quizzes: true }),
    named('Uma', { user_type: 'trainer', manage_users: true, trainergroups: [crew] }),
    named('Gus', { user_type: 'trainer', manage_groups: true, trainergroups: [crew, warehouse] }),
    named('Nora', { user_type: 'trainer' }),
    named('Sven', { user_type: 'trainer', suspended: true }),
    quizUser({ groups: [crew] }),
  ];
  const quizzes: Quiz[] = ['Fire safety', 'Fire drill', 'Ladders'].map((name, n) => ({
    quiz_id: `q-${n + 1}`,
    name,
    status: 'open',
    date_created: new Date(0),
  }));
  const groups: Group[] = [{ ...crew }, { ...warehouse }];
  const responses: QuizResponse[] = [];
  const calls: { call: string; options: CallOptions | undefined }[] = [];
  const faults = new Map<string, unknown>();

  /** What was asked of the service, which fails where it is told to. */
  const asked = (call: string, callOptions?: CallOptions) => {
    if (!/list|get|find|groups|questions/.test(call.split(' ')[0]!)) callOptions?.beforeChange?.();
    calls.push({ call, options: callOptions });
    const fault = faults.get(call) ?? faults.get(call.split(' ')[0]!);
    if (fault !== undefined) throw fault;
  };
  const found = <Item>(item: Item | undefined, path: string): Item => {
    if (item === undefined) throw new QuizApiError('gone', { operation: 'get', method: 'GET', path }, 'answered 404');
    return item;
  };
  const quizOf = (id: string) =>
    found(
      quizzes.find(({ quiz_id }) => quiz_id === id),
      id,
    );
  const userOf = (id: string) =>
    found(
      users.find(({ user_id }) => user_id === id),
      id,
    );
  /** Gives something to a thing, or takes it away: nobody looks at it later. */
  const granting =
    (name: string, thingOf: (id: string) => unknown) =>
    async (id: string, granted: string, call?: CallOptions): Promise<void> => {
      asked(`${name} ${id} ${granted}`, call);
      thingOf(id);
    };
  const api = {
    quizzes: {
      list: async (call?: CallOptions) => (asked('quizzes.list', call), [...quizzes]),
      get: async (id: string, call?: CallOptions) => (asked(`quizzes.get ${id}`, call), { ...quizOf(id) }),
      groups: async (id: string, call?: CallOptions): Promise<Group[]> => (asked(`quizzes.groups ${id}`, call), []),
      update: async (id: string, changes: Partial<Quiz>, call?: CallOptions) => (
        asked(`quizzes.update ${id}`, call),
        void Object.assign(quizOf(id), changes)
      ),
      delete: async (id: string, call?: CallOptions) => (
        asked(`quizzes.delete ${id}`, call),
        void quizzes.splice(quizzes.indexOf(quizOf(id)), 1)
      ),
      assignGroup: granting('quizzes.assignGroup', quizOf),
      unassignGroup: granting('quizzes.unassignGroup', quizOf),
      async copy(id: string, { name = '' }: { name?: string } = {}, call?: CallOptions) {
        asked(`quizzes.copy ${id}`, call);
        quizzes.push({ ...quizOf(id), quiz_id: 'q-copy', name });
        return 'q-copy';
      },
      async create({ name }: { name: string }, call?: CallOptions) {
        asked(`quizzes.create ${name}`, call);
        quizzes.push({ quiz_id: 'q-new', name, status: 'in_design', date_created: new Date(0) });
        return 'q-new';
      },
    },
    users: {
      list: async (call?: CallOptions) => (asked('users.list', call), [...users]),
      get: async (id: string, call?: CallOptions) => (asked(`users.get ${id}`, call), { ...userOf(id) }),
      find: async (name: string, call?: CallOptions) => (
        asked(`users.find ${name}`, call),
        users.find(({ user_name }) => user_name === name)?.user_id ?? null
      ),
      update: async (id: string, changes: Partial<User>, call?: CallOptions) => (
        asked(`users.update ${id}`, call),
        void Object.assign(userOf(id), JSON.parse(JSON.stringify(changes)))
      ),
      delete: async (id: string, call?: CallOptions) => (
        asked(`users.delete ${id}`, call),
        void users.splice(users.indexOf(userOf(id)), 1)
      ),
      assignQuiz: granting('users.assignQuiz', userOf),
      unassignQuiz: granting('users.unassignQuiz', userOf),
      assignGroup: granting('users.assignGroup', userOf),
      unassignGroup: granting('users.unassignGroup', userOf),
      async create(user: Partial<User>, call?: CallOptions) {
        asked(`users.create ${user.user_name}`, call);
        // As over HTTP: what is undefined is not sent.
        users.push(quizUser({ ...(JSON.parse(JSON.stringify(user)) as Partial<User>), user_id: 'u-new' }));
        return 'u-new';
      },
    },
    responses: {
      list: async (quizId: string, call?: CallOptions) => (asked(`responses.list ${quizId}`, call), [...responses]),
      using: async <Result>(quizId: string, call: CallOptions, use: (all: QuizResponse[]) => Result) => (
        asked(`responses.list ${quizId}`, call),
        use([...responses])
      ),
      get: async (quizId: string, id: string, call?: CallOptions) => (
        asked(`responses.get ${quizId} ${id}`, call),
        found(
          responses.find(({ response_id }) => response_id === id),
          id,
        )
      ),
      questions: async (quizId: string, id: string, call?: CallOptions) => (
        asked(`responses.questions ${quizId} ${id}`, call),
        []
      ),
    },
    groups: { list: async (call?: CallOptions) => (asked('groups.list', call), [...groups]) },
  } as unknown as QuizApi;

  const directory = createDirectory({ api, now: () => clock.now, onBackgroundError: () => {} });
  const identity = createIdentity({
    api,
    users: directory.users,
    people: {
      of: async (personId) => ({
        emailAddress: `${personId.slice(1).toLowerCase()}@quiz.example`,
        outsider: undefined,
        ...options.people?.[personId],
      }),
      learn: async () => {},
    },
    owners: options.owners ?? [],
    now: () => clock.now,
  });
  const { log, lines } = recordingLog();
  const metrics = createMetrics();
  const post = vi.fn<Notifier['post']>(async () => ({ posts: [{ channel: 'C1', ts: '1' }] }));
  const offerPassword = vi.fn<Notifier['offerPassword']>(async () => {});
  const notifier: Notifier = {
    post,
    findPosts: async () => [],
    update: async () => {},
    remind: async () => {},
    postToRequester: async () => ({ channel: 'D1', ts: '1' }),
    findRequesterPost: async () => undefined,
    updateRequesterPost: async () => true,
    reply: async () => {},
    hasReplied: async () => false,
    offerPassword,
  };
  const work: Promise<unknown>[] = [];
  const onRecorded = vi.fn<() => void>();
  let ids = 0;
  const newId = () => `id-${(ids += 1)}`;
  const mail = createMemoryMail(storage.outbox);
  const sleep = () => new Promise<void>((resolve) => setImmediate(resolve));
  const oneAtATime = createOneAtATime({ leases: storage.leases, sleep });
  const batches = createBatches({
    storage,
    mail,
    newId,
    now: () => clock.now,
  });
  const alerts = (team: string): SubscriptionService => ({
    all: async () => (team === teamId ? (options.subscriptions ?? []) : []),
    subscribe: async (spec, ownerId) => ({
      subscription: { ...spec, id: 's-new', teamId: team, ownerId, createdAt: clock.now, pause: null },
    }),
    unsubscribe: async () => true,
    pause: async () => true,
    resume: async () => true,
    test: async () => undefined,
    whyClosed: async () => undefined,
  });
  const campaigns = createCampaignService({
    outbox: storage.outbox,
    lists: createCampaignLists({
      shared: createSharedState({ ...storage, mail }),
      retentionMs,
      now: () => clock.now,
      steadyNow: () => clock.now,
    }),
    responses: api.responses,
    quizzes: () => directory.quizzes.get(),
    users: () => directory.users.get(),
    startBatch: batches.startBatch,
    holidays: new Set(),
    mail,
    newId,
    now: () => clock.now,
  });
  const plans = createPlans({
    store: storage.kv('plans'),
    oneAtATime,
    requestTtlMs: 3_600_000,
    newId,
    now: () => clock.now,
  });
  const context = {
    api,
    directory,
    identity,
    platform: { name: 'Slack', inOwnNames: (sentence: string) => sentence, closedReason },
    makePassword: () => 'a-new-password',
    sendFile: vi.fn<(personId: string) => Promise<void>>(async () => {}),
    timeZone: 'Europe/Berlin',
    takeLink: createTakeLink('https://quiz.example/take/{quiz_id}'),
    storage,
    status: async () => ({
      health: [],
      unreadable: [],
      requestsLeft: [],
      alerts: alertsStatus(),
      undelivered: { count: 0, lastAt: undefined },
    }),
    ofWorkspace: (team: string) => ({
      alerts: alerts(team),
      campaigns: campaigns(team),
      batches: batches.service(team),
      departures: {
        left: async () => (options.departed ?? []).map((userId) => ({ userId, isProtected: false })),
        isGone: async ({ user_id: userId }: User) => options.departed?.includes(userId) === true,
        dismiss,
      },
      erasing: {
        begin: async (person: unknown) => void erasing.push(person),
        goOn: async (userId: string) => void erasing.push(userId),
      },
      plans: plans(team),
    }),
    answers: createAnswers({ ...storage, mail, now: () => clock.now }),
    findCompanies: async (channelId: string) => options.companies?.[channelId] ?? [],
    ownSettings: () => ({ turnMessages: async () => {}, chooseLanguage: async () => {} }),
    channelLanguages: createChannelLanguages({
      store: storage.kv('channel-languages'),
      defaultLanguage: 'en',
      now: () => clock.now,
    }),
    ownQuizzes: createRecentOwnQuizzes({ api, directory, takeLink: () => undefined, now: () => clock.now }),
    reach: async (some: readonly User[]) =>
      new Map(some.map(({ user_id }) => [user_id, { personId: `U-${user_id}`, timeZone: 'Europe/Berlin' }])),
    holidays: new Set<string>(),
    managersOf: async (personIds: readonly string[]) => ({
      managers: new Map(personIds.map((personId) => [personId, options.managers?.[personId] ?? null])),
    }),
    evidence: createEvidenceTools({
      store: storage.kv('evidence-key'),
      oneAtATime,
      madeSince: undefined,
      now: () => clock.now,
    }),
    membersOf: async (mention: Mention) => options.members?.[mention.id] ?? { problem: `Nobody is in ${mention.id}.` },
    profilesOf: async (personIds: readonly string[]) =>
      personIds.flatMap((personId) => options.profiles?.filter((profile) => profile.personId === personId) ?? []),
    readFile: async (_personId: string, { id }: FileReference) => {
      const content = options.files?.[id];
      return content === undefined ? { problem: 'The bot can’t find this file.' } : { content: Buffer.from(content) };
    },
    now: () => clock.now,
    steadyNow: () => clock.now,
  };
  const putAssigned = vi.fn<PutAssigned>(async () => {});
  const governance = createGovernance({
    ...context,
    oneAtATime,
    putAssigned,
    notifier,
    owners: options.owners ?? [],
    approvals: { ttlMs: 3_600_000, allowsSelfApproval: options.allowsSelfApproval ?? false },
    log,
    metrics,
    sleep,
    newCorrelationId: () => 'ab12',
    onRecorded,
    countRefused() {},
    track: (one) => void work.push(one),
  });

  /** The context of an operation for this person. */
  const readerFor = async (personId: string, channelId?: string) =>
    createContext({ ...context, decisions: governance.decisions }, await identity.actorOf(personId, { fresh: false }), {
      teamId,
      channelId,
      call: { deadline: clock.now + 1_000 },
    });

  onTestFinished(() => storage.close());

  /** What a person types as a command, or gives in another way: an input, or the readings of a line, the likeliest first. */
  const act = async (
    personId: string,
    operation: string,
    input: TextInput | readonly [TextInput, ...TextInput[]] = {},
    how: Partial<OperationRequest> = {},
  ) =>
    governance.execute({
      operation: operationNamed(operation)!,
      inputs: isReadings(input) ? input : [input],
      personId,
      teamId,
      through: 'command',
      ...how,
    });

  return {
    ...governance,
    act,
    decisions: byParticipant(governance.decisions),
    batches,
    account: { users, quizzes, groups, responses },
    api,
    directory,
    storage,
    clock,
    calls,
    /** Calls by these names, or these names and ids, fail so. */
    faults,
    post,
    offerPassword,
    putAssigned,
    sendFile: context.sendFile,
    onRecorded,
    readerFor,
    logged: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    /** @param after how many entries of the record to leave out */
    record: async (after = 0) => (await storage.audit.since(teamId, after, 100)).map(({ entry }) => entry),
    counted: async () =>
      Object.fromEntries(
        (await metrics.operations.get()).values
          .filter(({ value }) => value > 0)
          .map(({ labels, value }) => [`${labels['operation']} ${labels['outcome']}`, value]),
      ),
    /** Waits for what goes on after the answers. */
    settled: () => Promise.all(work),
    requests: () => storage.approvals.pending(teamId),
    /** What the service was asked since the last time. */
    asks: () => calls.splice(0).map(({ call }) => call),
  };
}
