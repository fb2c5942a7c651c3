import { createHash, randomBytes } from 'node:crypto';

const lifetimeMs = 8 * 60 * 60 * 1000;

interface Session {
  userId: string;
  expiresMs: number;
}

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions last eight hours. They live in memory, so a restart signs everybody out. */
export function createSessions(now: () => number) {
  const sessions = new Map<string, Session>();
  return {
    /** @returns the session id for the cookie */
    begin(userId: string): string {
      for (const [key, session] of sessions) if (session.expiresMs <= now()) sessions.delete(key);
      const id = randomBytes(32).toString('base64url');
      sessions.set(keyOf(id), { userId, expiresMs: now() + lifetimeMs });
      return id;
    },
    /** @returns the ID of the user who is signed in */
    find(id: string | undefined): string | undefined {
      const session = id === undefined ? undefined : sessions.get(keyOf(id));
      return session && session.expiresMs > now() ? session.userId : undefined;
    },
    end(id: string | undefined): void {
      if (id !== undefined) sessions.delete(keyOf(id));
    },
  };
}

/** Sessions are stored by digest, so that lookup time reveals nothing about an id. */
function keyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

export const sessionCookieName = 'user_session';

/** Builds a Set-Cookie value. @param id undefined deletes the cookie */
export function sessionCookie(id: string | undefined, isOverTls: boolean): string {
  const lifetime = id === undefined ? '; Max-Age=0' : '';
  const secure = isOverTls ? '; Secure' : '';
  return `${sessionCookieName}=${id ?? ''}; Path=/; HttpOnly; SameSite=Strict${lifetime}${secure}`;
}

export function parseCookies(header: string | undefined): Record<string, string> {
  const pairs = (header ?? '').split(';').map((pair) => pair.split('='));
  return Object.fromEntries(pairs.map(([name = '', ...value]) => [name.trim(), value.join('=').trim()]));
}
