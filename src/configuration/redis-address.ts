import { z } from 'zod';

const sentinel =
  'must be the address of one Redis. The bot does not follow Redis Sentinel or Redis Cluster by itself: set the address of a proxy that follows the primary, such as HAProxy.';

/**
 * The address of one Redis. What the client would ignore, such as most of a query, is refused: the bot would use another
 * Redis or another database than the one that is meant.
 */
export const redisAddress = z
  .string()
  .refine((text) => !isOfSeveral(text), { error: sentinel, abort: true })
  .pipe(
    z.url({
      protocol: /^(?:rediss?|unix)$/,
      error: 'must be an address such as redis://127.0.0.1:6379, rediss://… with TLS, or unix:///run/redis.sock.',
      abort: true,
    }),
  )
  .superRefine((text, { addIssue }) => {
    const problem = problemOf(new URL(text));
    if (problem !== undefined) addIssue(problem);
  });

/**
 * @param address a valid address
 * @returns the address with a password that it does not have yet
 */
export function withPassword(address: string, password: string): string {
  const url = new URL(address);
  // An address without a host cannot have a password. The host of a socket has no meaning.
  if (url.protocol === 'unix:' && url.host === '') url.host = 'localhost';
  url.password = encodeURIComponent(password);
  return url.href;
}

/** The forms in which clients of other languages name a Sentinel, a cluster or several servers. */
function isOfSeveral(text: string): boolean {
  const [, scheme = '', rest = ''] = /^([^:]*):\/\/(?:[^@/?#]*@)?(.*)$/.exec(text) ?? [];
  return (
    /sentinel|cluster/i.test(scheme) ||
    rest.includes(',') ||
    /[?&][^=]*(?:sentinel|master|service_?name)/i.test(rest) ||
    /^[^/?#]*:26379\/(?!\d*(?:[?#]|$))/.test(rest)
  );
}

function problemOf({ protocol, pathname, searchParams, hash }: URL): string | undefined {
  const names = [...searchParams.keys()];
  if (protocol === 'unix:') {
    const isWrong = names.some((name) => name !== 'db') || !/^\d*$/.test(searchParams.get('db') ?? '') || hash !== '';
    return isWrong ? 'must have nothing after the path of the socket but a database, such as ?db=1.' : undefined;
  }
  if (names.includes('path'))
    return 'must name a socket as unix:///run/redis.sock, with ?db=1 for another database: the bot does not read ?path=.';
  if (names.length > 0 || hash !== '')
    return 'must end with the port or the database, such as redis://127.0.0.1:6379/1: the bot does not read what follows it.';
  return /^\/?\d*$/.test(pathname)
    ? undefined
    : 'must have the number of a database after the port or nothing, such as redis://127.0.0.1:6379/1.';
}
