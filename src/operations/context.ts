import type { Readable } from 'node:stream';
import type { Directory } from '../directory/directory.ts';
import type { Actor, Identity, Person } from '../directory/identity.ts';
import type { AlertsStatus } from '../domain/alerts-status.ts';
import type { ApprovalRequest } from '../domain/approval-request.ts';
import type {
  Batch,
  BatchApproval,
  BatchEvent,
  BatchPlan,
  BatchProgress,
  BatchRow,
  ChangeRow,
  RowOutcome,
  TakenOver,
} from '../domain/batch.ts';
import type { Campaign, CampaignContact, CampaignEvent, CampaignSummary, RuleChange } from '../domain/campaign.ts';
import type { CampaignPlan, LastMonth, PlannedMember } from '../domain/campaign-plan.ts';
import type { ChainHead, MissingEnd } from '../domain/audit-chain.ts';
import type { RecordedLink } from '../domain/sealed-entry.ts';
import type { PersonToErase } from '../domain/erasing.ts';
import type { EvidenceOrder } from '../domain/evidence-order.ts';
import type { CheckResult } from '../domain/finding.ts';
import type { ManagersOf, NoManagers } from '../domain/managers.ts';
import type { Plan } from '../domain/plan.ts';
import type { CampaignRule } from '../obligations/members.ts';
import type { ObligationFacts } from '../obligations/obligation.ts';
import type { Subscription, SubscriptionSpec } from '../domain/subscription.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { QuizResponse } from '../quiz-api/responses.ts';
import type { Group, User } from '../quiz-api/users.ts';
import type { PublicKey, Signer } from '../features/evidence/signing-keys.ts';
import type { AssignedQuizzes } from '../features/quizzes/own-quizzes.ts';
import type { Language } from '../words/languages.ts';
import type { LanguageChoice } from './language-choice.ts';
import type { Mention } from './typed-text.ts';

/**
 * What an operation can require of a person: to be known to the account, to be staff (trainer or administrator), to
 * hold one of the service's flags, or to be an administrator.
 */
export type Right = 'known' | 'staff' | 'edit_quizzes' | 'manage_users' | 'manage_groups' | 'administrator';

/** Which quizzes, users and groups of the account a person may see. */
export interface Visibility {
  quiz: (quiz: Pick<Quiz, 'quiz_id'>) => boolean;
  /** Users who belong to a quiz or group that the person trains; for administrators every user. */
  trains: (user: User) => boolean;
  /** Whether the person sees every quiz, including quizzes that do not exist yet. */
  seesEveryQuiz: boolean;
  /** Users whose record the person sees and changes: addresses, rights, results. */
  user: (user: User) => boolean;
  /** Users the person may choose by name, to assign something to them. Wider than `user`. */
  userByName: (user: User) => boolean;
  /** Groups that the person sees with their members, and changes. */
  group: (group: Group) => boolean;
  /** Groups the person may choose by name, to assign a quiz to them. Wider than `group`. */
  groupByName: (group: Group) => boolean;
  /** Quizzes in which the person sees how to reach the respondents, and where they were. */
  addressesIn: (quiz: Pick<Quiz, 'quiz_id'>) => boolean;
  /** Plans of others on which the person may decide: they read every row. */
  planOfOther: (plan: Pick<Plan, 'content'>) => boolean;
}

/** What every operation works with. `call` carries the deadline and belongs in every call of the service. */
interface CommonContext {
  api: QuizApi;
  directory: Directory;
  identity: Identity;
  actor: Actor;
  rights: ReadonlySet<Right>;
  visibility: Visibility;
  platform: Platform;
  /** The zone in which a day begins and ends. */
  timeZone: string;
  /** The channel the person is in; undefined in a direct message and where the platform does not say. */
  channelId: string | undefined;
  /** The operation changes something: a few letters of a name pick nobody without a question. */
  isChange?: boolean | undefined;
  /** The approval by which it runs; undefined where it runs by the person’s own rights. */
  approval: BatchApproval | undefined;
  /**
   * One of many changes in the background: what was read or sent within a minute is recent enough, and is not read again
   * for each of them.
   */
  isOneOfMany?: true;
  /** Whether the bot stops: what is not begun yet is left. Default: it does not. */
  isStopping?: (() => boolean) | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
  call: CallOptions;
}

/** What operations and kinds of fields name in `uses`. For the others, it is not made. */
export interface Services {
  /** The alerts of the person’s workspace. */
  alerts: SubscriptionService;
  channelLanguages: ChannelLanguages;
  /** The campaigns of the person’s workspace. */
  campaigns: CampaignService;
  /** The batches of the person’s workspace. */
  batches: BatchService;
  /** Who of the account has left the platform. */
  departures: DepartureService;
  erasing: Erasing;
  /** What was worked out and waits to be started. */
  plans: Plans;
  /** The tokens with which agents act for people of the workspace; undefined where agents are turned off. */
  agentTokens: AgentTokens | undefined;
  /** The rights that people of the workspace lent to steps of workflows; undefined where steps are turned off. */
  rightsLent: RightsLent | undefined;
  /** What people of the workspace said that the columns of files hold. */
  columnChoices: ColumnChoices;
  /** What the bot itself keeps. */
  records: Records;
  /** What makes packs of evidence checkable. */
  evidence: EvidenceTools;
  /** The packs that people of the person’s workspace get every month. */
  evidenceOrders: EvidenceOrders;
  /** How users of the account are reached on the platform. */
  reach: Reach;
  /** The people in a channel or user group of the platform. */
  membersOf: MembersOf;
  /** The managers of people, as the platform names them. */
  managersOf: ManagersOf;
  /** What the platform says of people; in their order, without people whom it does not know. */
  profilesOf: ProfilesOf;
  /** Reads a file that the person may see on the platform. */
  readFile: (file: FileReference) => Promise<IncomingFile>;
  /** Sends a file to the person alone. Uses up its stream, or destroys it when sending fails. */
  sendFile: (file: OutgoingFile) => Promise<void>;
  /** Judges planned rows by the person’s rights now: what they may not do is left out, and what needs approval is marked. */
  judge: (rows: readonly BatchRow[]) => Promise<JudgedRows>;
  /** How things are now for rows that were shown before, whoever asks. Reads the list of users. */
  rowsNow: (rows: readonly ChangeRow[]) => Promise<readonly RowNow[]>;
  makePassword: () => string;
  /** The address where a quiz is taken; undefined where the account has none configured. */
  takeLink: (quizId: string) => string | undefined;
  /** The quizzes of the person’s user as they were at most a minute ago. */
  ownQuizzes: (userId: string) => Promise<AssignedQuizzes>;
  /** Days without messages, as ISO dates. */
  holidays: ReadonlySet<string>;
}

export type ServiceName = keyof Services;

/** What an operation works with, or a kind of field, that uses these services. */
export type OperationContext<Used extends ServiceName = never> = CommonContext & Pick<Services, Used>;

/** The context of an operation that is known only when it runs: it has the services that this one uses. */
export type AnyContext = OperationContext<ServiceName>;

/** Planned rows after they were judged. `things`: the quizzes and groups that they name. */
export interface JudgedRows {
  rows: readonly BatchRow[];
  things: NonNullable<BatchPlan['things']>;
}

/**
 * What became of what a row changes since it was shown. `changed`: the user’s type, rights, suspension or address. `refused`: its
 * operation does not take it any more; `message` says why.
 */
export type RowNow =
  { kind: 'as shown' | 'gone' | 'done' } | { kind: 'changed'; user: User } | { kind: 'refused'; message: string };

/** A file on the platform. */
export interface FileReference {
  id: string;
  name: string;
}

/** The content of a file, or a sentence that says why it cannot be read. */
export type IncomingFile = { content: Buffer } | { problem: string };

/** A person, as the platform names them. */
export interface Profile {
  personId: string;
  firstName: string;
  lastName: string;
  /** Undefined where the platform withholds it, and where the person has not confirmed it. */
  emailAddress: string | undefined;
  /** As in `Person`. */
  outsider: Person['outsider'];
}

export type ProfilesOf = (personIds: readonly string[]) => Promise<readonly Profile[]>;

/** A file that is sent to a person. */
export interface OutgoingFile {
  name: string;
  /** The text that goes with it, plain. */
  comment: string;
  content: Buffer | OutgoingStream;
}

export interface OutgoingStream {
  stream: Readable;
  /** In bytes; exactly what the stream holds. */
  length: number;
}

export interface SubscriptionState {
  subscription: Subscription;
  /** Submissions that are stored and not posted yet. */
  waiting: number;
}

/** Sentences in plain text: why the bot cannot post in a channel, and what to do. */
export interface ClosedChannel {
  closed: string;
}

/** The alerts of one workspace, as operations work with them. */
export interface SubscriptionService {
  /** In the order in which they were made. */
  all(): Promise<SubscriptionState[]>;
  /** Subscribes the channel and posts a message there that says so. Keeps nothing when the bot cannot post there. */
  subscribe(spec: SubscriptionSpec, ownerId: string): Promise<{ subscription: Subscription } | ClosedChannel>;
  /** Drops what waits. False when the subscription is gone. */
  unsubscribe(id: string): Promise<boolean>;
  /** `until`: milliseconds since the epoch; null: until a person resumes it. False when the subscription is gone. */
  pause(id: string, by: string, until: number | null): Promise<boolean>;
  /** Posts what waits. False when the subscription is gone. */
  resume(id: string): Promise<boolean>;
  /** The platform’s code for why the bot cannot post in a channel; undefined where it can, and where the platform does not say. */
  closedCode(channelId: string): Promise<string | undefined>;
  /** Posts an example of an alert, marked as a test. */
  test(subscription: Subscription): Promise<ClosedChannel | undefined>;
}

/** The languages in which the bot posts in the channels of a workspace. */
export interface ChannelLanguages {
  /** Of channels for which nobody chose one. */
  defaultLanguage: Language;
  /** The language of a channel, as it was within a minute; while the store is away, as it was known last. */
  of(channelId: string): Promise<Language>;
  /** What was chosen for a channel, as it is now. */
  chosen(channelId: string): Promise<LanguageChoice>;
  /** @returns what was chosen before */
  choose(channelId: string, language: LanguageChoice): Promise<LanguageChoice>;
}

/** A campaign with the results that the service has. `asOf` is in milliseconds since the epoch. */
export interface CampaignNow {
  campaign: Campaign;
  asOf: number;
  /** The quiz is deleted: the results are those that were known before. */
  isGone: boolean;
}

/** The campaigns of one workspace, as operations work with them. */
export interface CampaignService {
  /** The latest first; those that ended, too, as long as they are kept. */
  all(): Promise<readonly CampaignSummary[]>;
  byId(id: string): Promise<Campaign | undefined>;
  /**
   * @param by the person who starts it, and is its owner
   * @returns `isNew`: false where the plan asks for the only one, and another stands already
   */
  start(plan: CampaignPlan, by: string): Promise<{ id: string; isNew: boolean }>;
  /**
   * Takes the people of a plan into a campaign that stands, and assigns its quiz to those who lack it.
   *
   * @param by the person by whose rights it is assigned
   */
  takeIn(campaign: Pick<Campaign, 'id' | 'teamId' | 'board'>, plan: CampaignPlan, by: string): Promise<void>;
  /**
   * Reads the results from the service, also after the end. A campaign that runs gets to know them.
   *
   * @throws a `QuizApiError` where the service cannot be asked
   */
  readNow(campaign: Campaign, call: CallOptions): Promise<CampaignNow>;
  /**
   * Gives a campaign that runs what a command has read of its quiz.
   *
   * @param read.since when it was asked for, in milliseconds since the epoch
   */
  putRead(
    campaign: Campaign,
    read: { responses: readonly QuizResponse[]; users: readonly User[]; since: number },
  ): Promise<void>;
  /** Has an event applied to a campaign. What is stored survives a crash. */
  put(id: string, event: CampaignEvent): Promise<void>;
  /** What a campaign that stands would have done in the last 30 days. `attempts`: of each person, by user ID. */
  lastMonth(
    rule: CampaignRule,
    members: readonly PlannedMember[],
    attempts: ReadonlyMap<string, ObligationFacts['attempts']>,
  ): LastMonth;
  /** How a campaign would be with another rule from now on, and whose next message would come sooner. */
  withRule(
    campaign: Campaign,
    change: RuleChange,
  ): { campaign: Campaign; sooner: readonly { userId: string; at: number }[] };
  /** When campaigns write to these users. Users to whom none does are left out. */
  contactsWith(userIds: readonly string[]): Promise<ReadonlyMap<string, CampaignContact>>;
}

/** The batches of one workspace, as operations work with them. */
export interface BatchService {
  /** @param by the person who starts it, and is its owner */
  start(plan: BatchPlan, by: string, approval?: BatchApproval): Promise<Batch>;
  /**
   * Stores a change that is about to be made by itself. If the bot ends in the middle, a batch makes what is left of it; if it is
   * made, or the person knows why not, it is called off.
   */
  hold(plan: BatchPlan, by: string, takesOver: TakenOver): Promise<{ callOff: () => Promise<void> }>;
  /** Undefined for an unknown batch. */
  progress(id: string): Promise<BatchProgress | undefined>;
  /** The rows are empty where they are too old. */
  result(id: string): Promise<BatchResult | undefined>;
  /** Has an event applied to a batch. What is stored survives a crash. */
  put(id: string, event: Exclude<BatchEvent, { kind: 'start' | 'call off' }>): Promise<void>;
}

/** What became of each row of a batch. */
export interface BatchResult extends Pick<BatchPlan, 'operation' | 'source'>, Pick<Batch, 'ownerId' | 'state'> {
  rows: readonly BatchRow[];
  outcomes: readonly RowOutcome[];
}

/** Plans of one workspace. They are kept for some days, longer than a request for approval. */
export interface Plans {
  /** @returns the plan’s id */
  add(plan: Pick<Plan, 'personId' | 'content' | 'entered'>): Promise<string>;
  /** Those that the person made and can still start, the latest first; a few. */
  latest(personId: string): Promise<readonly Plan[]>;
  /** Undefined where it is too old, or was started. */
  byId(id: string): Promise<Plan | undefined>;
  /** Whether the person had the plan made, and it was started; false where that is long ago. */
  wasStarted(id: string, personId: string): Promise<boolean>;
  /** Takes a plan out, so that it is started once. False where another did so before. */
  take(id: string): Promise<boolean>;
}

/** What people said that the columns of files hold, by a digest of the titles. Nothing of the files themselves is kept. */
export interface ColumnChoices {
  /** In the order of the columns; undefined for a file that nobody was asked about. */
  of(digest: string): Promise<readonly string[] | undefined>;
  keep(digest: string, choices: readonly string[]): Promise<void>;
}

/** Erases people from what the bot keeps of one workspace. What is stored survives a crash. */
export interface Erasing {
  /** Stores that a person is to be erased once their user is deleted. */
  begin(person: PersonToErase & { by: string }): Promise<void>;
  /** Has the account asked at once whether the user is deleted. */
  goOn(userId: string): Promise<void>;
}

/** Who of the account has left the platform, as operations work with it. */
export interface DepartureService {
  /**
   * The users whose person was deactivated on the platform.
   *
   * @param proposalId of these, the ones on whom nobody has decided; undefined: all
   * @returns undefined where the proposal is over. `isProtected`: they are administrators in any case
   */
  left(proposalId?: string): Promise<readonly { userId: string; isProtected: boolean }[] | undefined>;
  /** Whether the person of a user is still gone, as the platform says now. Who is back is taken out of proposals. */
  isGone(user: User): Promise<boolean>;
  /** Leaves these people of a proposal active. */
  dismiss(proposalId: string, userIds: readonly string[], by: string): Promise<void>;
}

/** A token with which an agent acts for a person. Times are milliseconds since the epoch. */
export interface AgentToken {
  /** What the person calls it; no other of theirs has the name. */
  name: string;
  createdAt: number;
  expiresAt: number;
}

/** The tokens of one workspace. */
export interface AgentTokens {
  /** Those that work. */
  all(personId: string): Promise<readonly AgentToken[]>;
  /** `secret`: the token itself, which is kept nowhere. `busy`: another change of the person’s tokens is being made. */
  make(personId: string, name: string): Promise<(AgentToken & { secret: string }) | 'taken' | 'too many' | 'busy'>;
  /** False where there is none with the name. */
  revoke(personId: string, name: string): Promise<boolean | 'busy'>;
}

/** Rights that a person lent to a kind of step of workflows. Times are milliseconds since the epoch. */
export interface LentRights {
  id: string;
  personId: string;
  /** What people call the step. */
  step: string;
  /** The workflow that it runs in; undefined where the platform did not say. */
  workflowId: string | undefined;
  lentAt: number;
  /** Within an hour; undefined before the first run. */
  usedAt: number | undefined;
  /** Unless it runs before. */
  expiresAt: number;
}

/** The rights that people of one workspace lent to steps of workflows. */
export interface RightsLent {
  /** In the order in which they were lent; without those that expired or were revoked. */
  all(): Promise<readonly LentRights[]>;
  /** Ends a grant for every instance at once. Undefined, and nothing is done, where it has ended before or is not meant. */
  revoke(id: string, isMeant: (lent: LentRights) => boolean): Promise<LentRights | undefined>;
}

/** A person of the platform, as messages reach them. */
export interface ReachedPerson {
  personId: string;
  timeZone: string;
  /** They turned messages about quizzes off. */
  isTurnedOff?: true;
}

/** Finds the people of the platform who are these users of the account; by user ID. Guests and users without a person are left out. */
export type Reach = (
  users: readonly User[],
  options: { call: CallOptions },
) => Promise<ReadonlyMap<string, ReachedPerson>>;

/** What the bot itself keeps for one workspace, and how it is doing. */
export interface Records {
  /** Approval requests without a decision that the person asked or may decide on, the oldest first. */
  openRequests(): Promise<ApprovalRequest[]>;
  /** The number of all approval requests without a decision. */
  countOpenRequests(): Promise<number>;
  /** Links of the audit trail before a position, the latest first. */
  latestLinks(limit: number, before?: number): Promise<RecordedLink[]>;
  /** Links after a position, the oldest first. */
  linksSince(after: number, limit: number): Promise<RecordedLink[]>;
  auditHead(): Promise<ChainHead>;
  /** Entries of the audit trail that were known and are gone; undefined where none is. */
  missingAuditEnd(): Promise<MissingEnd | undefined>;
  status(): Promise<BotStatus>;
}

/** What a pack of evidence is signed and checked with. */
export interface EvidenceTools {
  signer(): Promise<Signer>;
  /** The text of the program that checks a pack. */
  verifier(): Promise<string>;
}

/** The packs of evidence that people of one workspace get every month. */
export interface EvidenceOrders {
  /** In the order in which they were ordered. */
  all(): Promise<readonly EvidenceOrder[]>;
  /** Of the same pack for the same person, the first order counts. */
  add(order: Omit<EvidenceOrder, 'id' | 'orderedAt' | 'month'>): Promise<EvidenceOrder>;
  stop(id: string): Promise<void>;
}

export interface BotStatus {
  /** What each check of the bot found. */
  health: readonly CheckResult[];
  /** The records of the service that the bot leaves out because it cannot read them, and why, by list. */
  unreadable: readonly { list: string; count: number; reason: string }[];
  /** Requests the service still takes: this minute, this hour. */
  requestsLeft: readonly { windowMs: number; left: number; limit: number }[];
  alerts: AlertsStatus;
  undelivered: UndeliveredStatus;
  /** Whether agents can call tools; `unsigned`: turned on, but nothing could prove that a request comes from the platform. */
  agents?: 'on' | 'off' | 'unsigned';
  /** What signs packs of evidence. */
  evidenceKey?: Pick<PublicKey, 'fingerprint' | 'from'>;
  /** Whether the platform lets the bot see who is in do-not-disturb; undefined before the bot asked. */
  seesDoNotDisturb?: boolean | undefined;
  /** Why the platform names nobody’s manager; undefined where it does, and before the bot asked. */
  noManagers?: NoManagers | undefined;
}

/** Messages that reached nobody. */
export interface UndeliveredStatus {
  count: number;
  /** Milliseconds since the epoch; undefined where there was none. */
  lastAt: number | undefined;
}

/** The people in a channel or user group of the platform, or a sentence that says why they are not known. `isCut`: there are more. */
export type MemberList = { personIds: readonly string[]; isCut?: true } | { problem: string };

/**
 * @param askedBy who wants to know: only members of a private channel learn who is in it
 * @param options.atMost where there are more people, a few more than this are enough
 */
export type MembersOf = (mention: Mention, askedBy: string, options: { atMost: number }) => Promise<MemberList>;

/** What texts for people call the platform on which they use the bot. */
export interface PlatformWords {
  /** Goes before “account”, “profile”, “e-mail address”. */
  name: string;
}

/** The platform, for what an operation writes itself. */
export interface Platform extends PlatformWords {
  /** Puts the names that the bot and its commands have there into a sentence for a file. Answers get them where they leave the bot. */
  inOwnNames: (sentence: string) => string;
}
