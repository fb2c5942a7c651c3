import type { Keyv } from 'keyv';
import { isSameAddress } from '../../domain/address.ts';
import { InvigilatorError } from '../../domain/errors.ts';
import { dateOf } from '../../quiz-api/fields.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { User } from '../../quiz-api/users.ts';

/** What a bot for some groups made itself, or took out of them last: it belongs to the bot although no group has it. */
export interface MadeHere {
  hasQuiz(quizId: string): boolean;
  /** Whether the bot made the user, or was making one of this name when its answer was lost. */
  hasUser(user: Pick<User, 'user_id' | 'user_name' | 'date_created'>): boolean;
  /** Of these quizzes that nobody has, the one that the bot was making when its answer was lost; undefined where that is not clear. */
  claimed(claim: QuizClaim, quizzes: readonly Quiz[]): Quiz | undefined;
  /** What the bot was making lately, and what came of it is not known. */
  quizClaims(): QuizClaim[];
  /** Changes with what is here. */
  version(): number;
  /** Reads what is kept, unless it was read within five seconds. */
  load(): Promise<void>;
  /** Keeps, before something is made, that it is being made. @returns the claim */
  begin<Claimed extends Claim>(claim: Omit<Claimed, 'at'>): Promise<Claimed>;
  /** Ends a claim. @param id of what was made; undefined where nothing was */
  end(claim: Claim, id: string | undefined): Promise<void>;
  /** @param forMs for so long; for good unless given */
  keepQuiz(quizId: string, forMs?: number): Promise<void>;
  keepUser(userId: string): Promise<void>;
  /** Knows, until the process ends, that the bot made a user. */
  noteUser(userId: string): void;
  /** A user who is in a group belongs to the bot by it. */
  forgetUser(userId: string): Promise<void>;
}

export interface QuizClaim {
  kind: 'quiz';
  /** Of the quiz that is copied, where the service chooses the name of the copy. */
  name: string;
  isCopy: boolean;
  at: number;
}
export interface UserClaim {
  kind: 'user';
  userName: string;
  at: number;
}
type Claim = QuizClaim | UserClaim;

/** `quizzes`: until when, in milliseconds since the epoch; null for good. */
export interface KeptMadeHere {
  quizzes: Readonly<Record<string, number | null>>;
  users: readonly string[];
  claims: readonly Claim[];
}

/** Another instance writes at the same time. */
export class MadeHereBusyError extends InvigilatorError {
  readonly code = 'made_here_busy';
}

const none: KeptMadeHere = { quizzes: {}, users: [], claims: [] };
const key = 'all';
const readForMs = 5_000;
/** For so long, what was being made may still be found. */
const claimedForMs = 3_600_000;
/** The clocks of the service and the bot differ by less. */
const skewMs = 2 * 60_000;

/**
 * @param deps.alone runs work that no other instance does at the same time. @returns whether it was run
 */
export function createMadeHere(deps: {
  store: Pick<Keyv<KeptMadeHere>, 'get' | 'set'>;
  alone: (work: () => Promise<void>) => Promise<boolean>;
  now: () => number;
}): MadeHere {
  const { store, now } = deps;
  let known = none;
  let users: ReadonlySet<string> = new Set();
  const noted = new Set<string>();
  let readAt = -Infinity;
  let version = 0;
  let reading: Promise<void> | undefined;

  function take(next: KeptMadeHere): void {
    if (JSON.stringify(next) !== JSON.stringify(known)) version += 1;
    known = next;
    users = new Set(next.users);
    readAt = now();
  }

  async function change(edit: (kept: KeptMadeHere) => KeptMadeHere): Promise<void> {
    const isDone = await deps.alone(async () => {
      const next = edit(withoutOld((await store.get(key)) ?? none, now()));
      await store.set(key, next);
      take(next);
    });
    if (!isDone) throw new MadeHereBusyError('another instance keeps what it made');
  }

  function isClaimedSince({ at }: Claim, createdAt: number | undefined): boolean {
    return createdAt !== undefined && now() - at < claimedForMs && createdAt >= at - skewMs;
  }

  return {
    hasQuiz(quizId) {
      const until = known.quizzes[quizId];
      return until === null || (until !== undefined && until > now());
    },
    hasUser: ({ user_id, user_name, date_created: created }) =>
      users.has(user_id) ||
      noted.has(user_id) ||
      known.claims.some(
        (claim) =>
          claim.kind === 'user' &&
          isSameAddress(claim.userName, user_name) &&
          isClaimedSince(claim, created === null ? undefined : dateOf(created).getTime()),
      ),
    claimed(claim, quizzes) {
      const fits = ({ name }: Quiz) => (claim.isCopy ? name.includes(claim.name) : name === claim.name);
      const [quiz, ...others] = quizzes.filter(
        (one) => fits(one) && !(one.quiz_id in known.quizzes) && isClaimedSince(claim, one.date_created?.getTime()),
      );
      return others.length === 0 ? quiz : undefined;
    },
    quizClaims: () => known.claims.filter((claim) => claim.kind === 'quiz'),
    version: () => version,
    async load() {
      if (now() - readAt < readForMs && now() >= readAt) return;
      reading ??= store
        .get(key)
        .then((kept) => take(withoutOld(kept ?? none, now())))
        .finally(() => (reading = undefined));
      await reading;
    },
    async begin<Claimed extends Claim>(claim: Omit<Claimed, 'at'>) {
      const begun = { ...claim, at: now() } as Claimed;
      await change((kept) => ({ ...kept, claims: [...kept.claims, begun] }));
      return begun;
    },
    async end(claim, id) {
      await change((kept) => ({
        quizzes: id !== undefined && claim.kind === 'quiz' ? { ...kept.quizzes, [id]: null } : kept.quizzes,
        users: id !== undefined && claim.kind === 'user' ? withUser(kept.users, id) : kept.users,
        claims: without(kept.claims, claim),
      }));
    },
    async keepQuiz(quizId, forMs) {
      const until = forMs === undefined ? null : now() + forMs;
      const kept = known.quizzes[quizId];
      if (kept === null || (kept !== undefined && until !== null && until - kept < readForMs)) return;
      await change(({ quizzes, ...others }) => ({
        ...others,
        quizzes: { ...quizzes, [quizId]: quizzes[quizId] === null ? null : until },
      }));
    },
    async keepUser(userId) {
      if (!users.has(userId)) await change((kept) => ({ ...kept, users: withUser(kept.users, userId) }));
    },
    noteUser(userId) {
      noted.add(userId);
      version += 1;
    },
    async forgetUser(userId) {
      noted.delete(userId);
      if (users.has(userId)) await change((kept) => ({ ...kept, users: kept.users.filter((id) => id !== userId) }));
    },
  };
}

function withUser(users: readonly string[], userId: string): readonly string[] {
  return users.includes(userId) ? users : [...users, userId];
}

function without(claims: readonly Claim[], ended: Claim): readonly Claim[] {
  const at = claims.findIndex((claim) => JSON.stringify(claim) === JSON.stringify(ended));
  return claims.filter((_, index) => index !== at);
}

function withoutOld({ quizzes, users, claims }: KeptMadeHere, now: number): KeptMadeHere {
  return {
    quizzes: Object.fromEntries(Object.entries(quizzes).filter(([, until]) => until === null || until > now)),
    users,
    claims: claims.filter(({ at }) => now - at < claimedForMs),
  };
}
