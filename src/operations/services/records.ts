import type { AlertsStatus } from '../../domain/alerts-status.ts';
import type { ApprovalRequest, ChangePreview } from '../../domain/approval-request.ts';
import type { ChainHead, MissingEnd } from '../../domain/audit-chain.ts';
import type { RecordedLink } from '../../domain/sealed-entry.ts';
import type { CheckResult } from '../../domain/finding.ts';
import type { NoManagers } from '../../domain/managers.ts';
import type { PublicKey } from '../../features/evidence/signing-keys.ts';
import type { KnownQuestion } from '../../domain/queues.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';

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
  /** The operation that an entry of the audit trail names; undefined for one that is no more. */
  operation(name: string): RecordedOperation | undefined;
}

interface RecordedOperation {
  name: string;
  access: string;
  right: string;
  command: string;
  summary: string;
  submit: string;
  opposite?: string | undefined;
  fields: Readonly<Record<string, { kind: string; optional?: true }>>;
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
  /** What the platform did not do for people who asked, by its codes. */
  refused?: UndeliveredStatus & { kinds: readonly string[] };
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

const pageSize = 500;

/** The links of the audit trail from its beginning up to a position, read page by page. */
export async function* linksUpTo(records: Pick<Records, 'linksSince'>, last: number): AsyncGenerator<RecordedLink> {
  for (let after = 0; ;) {
    const links = (await records.linksSince(after, pageSize)).filter(({ position }) => position <= last);
    yield* links;
    after = links.at(-1)?.position ?? last;
    if (after >= last) return;
  }
}

/** What a person sees who opens a request. */
export type Review =
  | { kind: 'review'; request: ApprovalRequest; preview: ChangePreview; changes: readonly string[] }
  /** The target is gone, or the change cannot be made for another reason: the request can only be denied. */
  | { kind: 'gone'; request: ApprovalRequest; message: string }
  /** The requester’s own, which they can withdraw. */
  | { kind: 'own'; request: ApprovalRequest }
  /** Decided already. */
  | { kind: 'over'; request: ApprovalRequest }
  | { kind: 'refused'; message: string };

export type Decided =
  /** The decision counted; the request says what came of it. */
  | { kind: 'decided'; request: ApprovalRequest }
  /** The target is not as it was shown: nothing was decided, and this is how it is now. */
  | { kind: 'changed'; review: Review }
  | { kind: 'over'; request: ApprovalRequest }
  | { kind: 'refused'; message: string };

/** What one person does with requests for approval, each named by its ID. What there is to record is recorded. */
export interface Decisions {
  /** @throws QuizApiError if the service cannot be asked */
  review(id: string): Promise<Review>;
  /**
   * Decides once, however many people decide at the same time on any instance. A decision counts only for what the person was
   * shown. @throws QuizApiError likewise
   */
  decide(id: string, verdict: 'approved' | 'denied', comment: string): Promise<Decided>;
  withdraw(id: string): Promise<Decided>;
}

/** The answers in the attempts at a quiz: one request each, so they are read in the background, once, and kept without names. */
export interface Answers {
  /**
   * What is known of the attempts at a quiz. What is not known yet is read from now on.
   *
   * @param attempts all that the service lists
   */
  of(quizId: string, attempts: readonly QuizResponse[]): Promise<KnownAnswers>;
}

export interface KnownAnswers {
  questions: readonly KnownQuestion[];
  /** The attempts that count: the newest, if there are many. */
  counted: ReadonlySet<string>;
  /** The answers of those that are read, by the ID of the attempt. */
  answers: ReadonlyMap<string, string>;
}
