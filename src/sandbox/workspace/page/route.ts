import type { PageState } from '../page-contract.ts';
import type { Route } from './ui.ts';

export interface RouteTarget {
  person?: string;
  route?: Route;
}

/** Reads who acts and where from the part of the target after #, e.g. #/U00000ADA/C0TRAINING. */
export function parseRoute(hash: string): RouteTarget {
  const target: RouteTarget = {};
  for (const part of hash.replace(/^#\/?/, '').split('/')) {
    if (/^U[A-Z0-9]+$/.test(part)) target.person = part;
    if (/^[CDG][A-Z0-9]+$/.test(part)) target.route = { kind: 'channel', id: part };
    if (part === 'home') target.route = { kind: 'home' };
  }
  return target;
}

export const formatRoute = (person: string, route: Route): string =>
  `#/${person}/${route.kind === 'home' ? 'home' : route.id}`;

/** Where a person is, when they may see it; else what comes closest: their own direct messages, or their first channel. */
export function nearestRoute({ channels, direct }: PageState, route: Route): Route {
  if (route.kind === 'home' || [...channels, direct].some((channel) => channel.id === route.id)) return route;
  const closest = route.id.startsWith('D') ? direct : (channels[0] ?? direct);
  return { kind: 'channel', id: closest.id };
}
