import type { PageState } from '../page-contract.ts';

/** What the main pane shows. */
export type Route = { kind: 'channel'; id: string } | { kind: 'home' };

interface HashTarget {
  person?: string;
  route?: Route;
}

/** Parses the person and the route from the URL's hash, for example `#/U00000ADA/C0TRAINING`. */
export function parseHash(hash: string): HashTarget {
  const target: HashTarget = {};
  for (const part of hash.replace(/^#\/?/, '').split('/')) {
    if (/^U[A-Z0-9]+$/.test(part)) target.person = part;
    if (/^[CDG][A-Z0-9]+$/.test(part)) target.route = { kind: 'channel', id: part };
    if (part === 'home') target.route = { kind: 'home' };
  }
  return target;
}

export const formatHash = (person: string, route: Route): string =>
  `#/${person}/${route.kind === 'home' ? 'home' : route.id}`;

/**
 * Returns the route if the person may see it, else the closest alternative: their own direct messages or first
 * channel.
 */
export function nearestRoute({ channels, direct }: PageState, route: Route): Route {
  if (route.kind === 'home' || [...channels, direct].some((channel) => channel.id === route.id)) return route;
  const closest = route.id.startsWith('D') ? direct : (channels[0] ?? direct);
  return { kind: 'channel', id: closest.id };
}
