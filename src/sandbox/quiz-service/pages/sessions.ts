import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const lifetimeMs = 8 * 60 * 60 * 1000;

/** Who is signed in: the account's owner or a user. */
type SignedIn = { role: 'owner' } | { role: 'user'; userId: string };

export interface Session {
  who: SignedIn;
  /** Every form of the session must include this token. */
  formToken: string;
  expiresMs: number;
}

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions last eight hours. They live in memory, so a restart signs everybody out. */
export function createSessions(now: () => number) {
  const sessions = new Map<string, Session>();
  return {
    /** @returns the session id for the cookie */
    begin(who: SignedIn): string {
      for (const [key, session] of sessions) if (session.expiresMs <= now()) sessions.delete(key);
      const id = randomBytes(32).toString('base64url');
      sessions.set(keyOf(id), { who, formToken: randomBytes(16).toString('base64url'), expiresMs: now() + lifetimeMs });
      return id;
    },
    find(id: string | undefined): Session | undefined {
      const session = id === undefined ? undefined : sessions.get(keyOf(id));
      return session && session.expiresMs > now() ? session : undefined;
    },
    end(id: string | undefined): void {
      if (id !== undefined) sessions.delete(keyOf(id));
    },
  };
}

/** Compares in constant time. */
export function isFormToken(session: Session, candidate: string): boolean {
  const [expected, given] = [Buffer.from(session.formToken), Buffer.from(candidate)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Sessions are stored by digest, so that lookup time reveals nothing about an id. */
function keyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

export const sessionCookies = { owner: 'owner_session', user: 'user_session' } as const;

/** Builds a Set-Cookie value. @param id undefined deletes the cookie */
export function sessionCookie(role: SignedIn['role'], id: string | undefined, isOverTls: boolean): string {
  const lifetime = id === undefined ? '; Max-Age=0' : '';
  const secure = isOverTls ? '; Secure' : '';
  return `${sessionCookies[role]}=${id ?? ''}; Path=/; HttpOnly; SameSite=Strict${lifetime}${secure}`;
}

export function parseCookies(header: string | undefined): Record<string, string> {
  const pairs = (header ?? '').split(';').map((pair) => pair.split('='));
  return Object.fromEntries(pairs.map(([name = '', ...value]) => [name.trim(), value.join('=').trim()]));
}
