import type { Directory } from '../directory/directory.ts';
import type { Actor, Identity } from '../directory/identity.ts';
import type { BatchApproval, BatchRow, ChangeRow } from '../domain/batch.ts';
import type { ManagersOf } from '../domain/managers.ts';
import type { Plan } from '../domain/plan.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { Quiz, Group, User } from '../quiz-api/records.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { AssignedQuizzes } from '../features/quizzes/own-quizzes.ts';
import type {
  BatchService,
  JudgedRows,
  Plans,
  RowNow,
  ChannelLanguages,
  SubscriptionService,
  CampaignService,
} from './services/features.ts';
import type { EvidenceTools } from '../features/evidence/signing-keys.ts';
import type { Answers, Decisions, Records } from './services/records.ts';
import type { FileReference, IncomingFile, OutgoingFile } from './services/files.ts';
import type {
  DepartureService,
  Erasing,
  MembersOf,
  OwnSettings,
  ProfilesOf,
  Reach,
  AgentTokens,
  RightsLent,
} from './services/people.ts';
import type { Platform } from './services/platform.ts';

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

/** What operations and kinds of fields work with that is the same for everybody. */
export interface SharedContext {
  api: QuizApi;
  directory: Directory;
  identity: Identity;
  platform: Platform;
  /** The zone in which a day begins and ends. */
  timeZone: string;
  /** Whether the bot stops: what is not begun yet is left. Default: it does not. */
  isStopping?: (() => boolean) | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
  channelLanguages: ChannelLanguages;
  /** The answers of attempts, as far as the bot has read them. */
  answers: Answers;
  /** What makes packs of evidence checkable. */
  evidence: EvidenceTools;
  /** How users of the account are reached on the platform. */
  reach: Reach;
  /** The people in a channel or user group of the platform. */
  membersOf: MembersOf;
  /** The managers of people, as the platform names them. */
  managersOf: ManagersOf;
  /** What the platform says of people; in their order, without people whom it does not know. */
  profilesOf: ProfilesOf;
  makePassword: () => string;
  /** The address where a quiz is taken; undefined where the account has none configured. */
  takeLink: (quizId: string) => string | undefined;
  /** Days without messages, as ISO dates. */
  holidays: ReadonlySet<string>;
}

/** What each workspace has. */
export interface WorkspaceContext {
  alerts: SubscriptionService;
  campaigns: CampaignService;
  batches: BatchService;
  /** Who of the account has left the platform. */
  departures: DepartureService;
  erasing: Erasing;
  /** What was worked out and waits to be started. */
  plans: Plans;
}

/** What operations and kinds of fields work with, for one person. `call` carries the deadline and belongs in every call of the service. */
export interface OperationContext extends SharedContext, WorkspaceContext {
  actor: Actor;
  /** Whose wish it is, and whose words and clock are meant: after an approval the person who asked, and the actor approved it. */
  requester: Actor;
  rights: ReadonlySet<Right>;
  visibility: Visibility;
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
  call: CallOptions;
  /** The names of the operations that the person may run or ask for. */
  offered: () => ReadonlySet<string>;
  /** What the person set for themselves. */
  ownSettings: OwnSettings;
  /** What the person does with requests for approval. */
  decisions: () => Decisions;
  /** The tokens with which agents act for people of the workspace; undefined where agents are turned off. */
  agentTokens: AgentTokens | undefined;
  /** The rights that people of the workspace lent to steps of workflows; undefined where steps are turned off. */
  rightsLent: RightsLent | undefined;
  /** What the bot itself keeps. */
  records: Records;
  /** Reads a file that the person may see on the platform. */
  readFile: (file: FileReference) => Promise<IncomingFile>;
  /** Sends a file to the person alone. Uses up its stream, or destroys it when sending fails. */
  sendFile: (file: OutgoingFile) => Promise<void>;
  /** Judges planned rows by the person’s rights now: what they may not do is left out, and what needs approval is marked. */
  judge: (rows: readonly BatchRow[]) => Promise<JudgedRows>;
  /** How things are now for rows that were shown before, whoever asks. Reads the list of users. */
  rowsNow: (rows: readonly ChangeRow[]) => Promise<readonly RowNow[]>;
  /** The quizzes of the person’s user as they were at most a minute ago. */
  ownQuizzes: (userId: string) => Promise<AssignedQuizzes>;
}
